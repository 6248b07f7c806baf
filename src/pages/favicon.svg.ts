import { tabIcon } from './_site/icons/icons.ts'

export const GET = () => new Response(tabIcon(), { headers: { 'Content-Type': 'image/svg+xml' } })
