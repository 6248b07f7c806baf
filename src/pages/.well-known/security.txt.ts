import { site } from '../../site.ts'
import { securityText } from './_securityText.ts'

export const GET = () =>
  new Response(securityText(site, Date.now()), { headers: { 'Content-Type': 'text/plain; charset=utf-8' } })
