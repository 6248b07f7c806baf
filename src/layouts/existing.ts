import { factLinks, footerLinks, navbarLinks, type SiteLink } from '../site.ts'

// Only the names are used. Asking for the text keeps the pages themselves, and their styles, out of every layout.
const files = Object.keys(import.meta.glob('../pages/**/*.astro', { query: '?raw' }))

/** The links whose pages have been written: navigation never leads to a page that isn't there. */
export function existing<Link extends SiteLink>(links: readonly Link[]): Link[] {
  return links.filter(isThere)
}

/**
 * The links of a list of src/content/navigation.json.
 *
 * @throws with the file and the entry when one leads to a page that isn't there, so that the site is not built
 */
export function publicLinks(list: keyof typeof lists): readonly SiteLink[] {
  for (const [index, link] of lists[list].entries()) {
    if (isThere(link)) continue
    throw new Error(
      `src/content/navigation.json: ${list}.${index}.href: this site has no page ${link.href} (${link.label})`,
    )
  }
  return lists[list]
}

const lists = { navbar: navbarLinks, footer: footerLinks, facts: factLinks }

function isThere({ href }: SiteLink): boolean {
  return [`../pages${href}.astro`, `../pages${href}/index.astro`, `../pages${href}index.astro`].some((file) =>
    files.includes(file),
  )
}
