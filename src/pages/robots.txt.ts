import { site } from '../site.ts'

// Signed-in pages are not disallowed, because crawlers must be able to read their `noindex`.
const lines = ['User-agent: *', 'Allow: /', 'Disallow: /api/', '', `Sitemap: ${site.origin}/sitemap.xml`, '']

export const GET = () =>
  new Response(lines.join('\n'), { headers: { 'Content-Type': 'text/plain; charset=utf-8' } })
