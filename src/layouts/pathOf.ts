/** The path by which a page is linked to, whatever its file is called: `/`, `/about-us`, `/claims/two-factor`. */
export function pathOf(url: URL): string {
  return url.pathname.replace(/(?:\/index)?\.html$/, '') || '/'
}
