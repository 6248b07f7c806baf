import { site } from '../site.ts'

// Nothing that is signed in is named here: those pages say `noindex` themselves, which a crawler has to read.
const lines = ['User-agent: *', 'Allow: /', 'Disallow: /api/', '', `Sitemap: ${site.origin}/sitemap.xml`, '']

export const GET = () =>
  new Response(lines.join('\n'), { headers: { 'Content-Type': 'text/plain; charset=utf-8' } })
