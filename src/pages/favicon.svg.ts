import { tabIcon } from './_site/icons/drawing.ts'

export const GET = () => new Response(tabIcon(), { headers: { 'Content-Type': 'image/svg+xml' } })
