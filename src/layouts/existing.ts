import type { SiteLink } from '../site.ts'

// Only the names are used. Asking for the text keeps the pages themselves, and their styles, out of every layout.
const files = Object.keys(import.meta.glob('../pages/**/*.astro', { query: '?raw' }))

/** The links whose pages have been written: navigation never leads to a page that isn't there. */
export function existing<Link extends SiteLink>(links: readonly Link[]): Link[] {
  return links.filter(({ href }) =>
    [`../pages${href}.astro`, `../pages${href}/index.astro`, `../pages${href}index.astro`].some((file) =>
      files.includes(file),
    ),
  )
}
