import { factLinks, footerLinks, navbarLinks, type SiteLink } from '../site.ts'

// Only the file names are used. `?raw` keeps the pages and their styles out of every layout.
const files = Object.keys(import.meta.glob('../pages/**/*.astro', { query: '?raw' }))

export function filterExistingLinks<Link extends SiteLink>(links: readonly Link[]): Link[] {
  return links.filter(hasPage)
}

/**
 * The links of a list of src/content/navigation.json.
 *
 * @throws with the file and the entry if a page does not exist, which fails the build
 */
export function listPublicLinks(list: keyof typeof lists): readonly SiteLink[] {
  for (const [index, link] of lists[list].entries()) {
    if (hasPage(link)) continue
    throw new Error(
      `src/content/navigation.json: ${list}.${index}.href: this site has no page ${link.href} (${link.label})`,
    )
  }
  return lists[list]
}

const lists = { navbar: navbarLinks, footer: footerLinks, facts: factLinks }

function hasPage({ href }: SiteLink): boolean {
  return [`../pages${href}.astro`, `../pages${href}/index.astro`, `../pages${href}index.astro`].some((file) =>
    files.includes(file),
  )
}

/** The path that links to a page use: `/`, `/about-us`, `/claims/two-factor`. */
export function toLinkPath(url: URL): string {
  return url.pathname.replace(/(?:\/index)?\.html$/, '') || '/'
}
