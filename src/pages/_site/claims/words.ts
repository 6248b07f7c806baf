import type { Claim } from '../../../content/schemas.ts'
import { factLinks, footerLinks, NOT_PROVIDED, navbarLinks, site } from '../../../site.ts'

/** The texts of a claim's standing, such as `Shown` and `by 3 tests`, and the status whose icon design/Status shows. */
export function describeStatus(claim: Claim) {
  if (claim.standing === 'planned') return { label: 'Planned', status: 'planned', detail: 'not a fact yet' }
  if (claim.standing === 'operator')
    return {
      label: 'For the operator',
      status: 'pending',
      detail: `to provide: ${getProvidedText(claim.provides)}`,
    }
  const pages = claim.evidence.filter((piece) => 'page' in piece).length
  const shown = [formatCount(claim.evidence.length - pages, 'test'), formatCount(pages, 'page')]
  return { label: 'Shown', status: 'verified', detail: `by ${shown.filter(Boolean).join(' and ')}` }
}

function formatCount(count: number, noun: string): string {
  if (count === 0) return ''
  return count === 1 ? `one ${noun}` : `${count} ${noun}s`
}

/** The claim as a headline. An unproven claim is marked, so that it does not read as a fact. */
export function formatHeadline(claim: Claim): string {
  if (claim.standing === 'shown') return claim.claim
  if (claim.standing === 'planned') return `Planned: ${claim.claim}`
  const isProvided = getProvidedText(claim.provides) !== NOT_PROVIDED
  return `${isProvided ? 'By the operator’s word' : 'Not provided yet'}: ${claim.claim}`
}

function getProvidedText(key: Extract<Claim, { standing: 'operator' }>['provides']): string {
  return { ...site.provides, ...site.company }[key] ?? NOT_PROVIDED
}

/** The name of a page in links: from the navigation, or made from its path. */
export function getPageName(path: string): string {
  const link = [...navbarLinks, ...footerLinks, ...factLinks].find(({ href }) => href === path)
  if (link) return link.label
  const words = path.slice(1).replaceAll('-', ' ').replaceAll('/', ': ')
  return words.charAt(0).toUpperCase() + words.slice(1)
}
