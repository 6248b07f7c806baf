import { drawTabIcon } from './_site/icons/icons.ts'

export const GET = () => new Response(drawTabIcon(), { headers: { 'Content-Type': 'image/svg+xml' } })
