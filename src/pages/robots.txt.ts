import { site } from '../site.ts'

// Signed-in pages are not listed: they have `noindex`, which a crawler must be able to read.
const lines = ['User-agent: *', 'Allow: /', 'Disallow: /api/', '', `Sitemap: ${site.origin}/sitemap.xml`, '']

export const GET = () =>
  new Response(lines.join('\n'), { headers: { 'Content-Type': 'text/plain; charset=utf-8' } })
