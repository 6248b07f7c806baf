import { factLinks, footerLinks, navbarLinks, type SiteLink } from '../site.ts'

// Only the file names are used. `?raw` keeps the pages and their styles out of every layout.
const files = Object.keys(import.meta.glob('../pages/**/*.astro', { query: '?raw' }))

export function existing<Link extends SiteLink>(links: readonly Link[]): Link[] {
  return links.filter(exists)
}

/**
 * The links of a list of src/content/navigation.json.
 *
 * @throws with the file and the entry if a page does not exist, which fails the build
 */
export function publicLinks(list: keyof typeof lists): readonly SiteLink[] {
  for (const [index, link] of lists[list].entries()) {
    if (exists(link)) continue
    throw new Error(
      `src/content/navigation.json: ${list}.${index}.href: this site has no page ${link.href} (${link.label})`,
    )
  }
  return lists[list]
}

const lists = { navbar: navbarLinks, footer: footerLinks, facts: factLinks }

function exists({ href }: SiteLink): boolean {
  return [`../pages${href}.astro`, `../pages${href}/index.astro`, `../pages${href}index.astro`].some((file) =>
    files.includes(file),
  )
}

/** The path that links to a page use: `/`, `/about-us`, `/claims/two-factor`. */
export function pathOf(url: URL): string {
  return url.pathname.replace(/(?:\/index)?\.html$/, '') || '/'
}
