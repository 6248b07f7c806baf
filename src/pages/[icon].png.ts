import type { APIRoute, GetStaticPaths } from 'astro'
import { drawIconOnPaper, renderPng } from './_site/icons/icons.ts'

// Systems crop a maskable icon to their own shape, but always show the middle 80 % of its width.
const icons = [
  { name: 'apple-touch-icon', size: 180, share: 0.62 },
  { name: 'icon-192', size: 192, share: 0.7 },
  { name: 'icon-512', size: 512, share: 0.7 },
  { name: 'icon-maskable-512', size: 512, share: 0.52 },
]

export const getStaticPaths = (() =>
  icons.map(({ name, ...props }) => ({ params: { icon: name }, props }))) satisfies GetStaticPaths

export const GET: APIRoute<(typeof icons)[number]> = async ({ props }) =>
  new Response(await renderPng(drawIconOnPaper(props.share), props.size), {
    headers: { 'Content-Type': 'image/png' },
  })
