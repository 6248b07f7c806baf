import { tabIcon } from './_icons/drawing.ts'

export const GET = () => new Response(tabIcon(), { headers: { 'Content-Type': 'image/svg+xml' } })
