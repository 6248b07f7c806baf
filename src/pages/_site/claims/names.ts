import { factLinks, footerLinks, navbarLinks } from '../../../site.ts'

/** What a page is called where it is linked to: its name in the navigation, or its address in words. */
export function nameOfPage(path: string): string {
  const link = [...navbarLinks, ...footerLinks, ...factLinks].find(({ href }) => href === path)
  if (link) return link.label
  const words = path.slice(1).replaceAll('-', ' ').replaceAll('/', ': ')
  return words.charAt(0).toUpperCase() + words.slice(1)
}
