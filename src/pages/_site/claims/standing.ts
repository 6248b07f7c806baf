import type { Claim } from '../../../content/schemas.ts'
import { NOT_PROVIDED, site } from '../../../site.ts'

/** How a claim stands, in words: `Shown` and `by 3 tests`. */
export interface Standing {
  /** Beside an icon of its own, so that nothing is said by colour alone. */
  label: string
  /** The word by which design/Status chooses that icon. */
  status: 'verified' | 'pending' | 'planned'
  detail: string
}

export function standingOf(claim: Claim): Standing {
  if (claim.standing === 'planned') return { label: 'Planned', status: 'planned', detail: 'not a fact yet' }
  if (claim.standing === 'shown')
    return { label: 'Shown', status: 'verified', detail: `by ${evidenceInWords(claim.evidence)}` }
  return { label: 'For the operator', status: 'pending', detail: `to provide: ${providedOf(claim.provides)}` }
}

/** The claim as a headline, which alone must not sound truer than it stands. */
export function headlineOf(claim: Claim): string {
  if (claim.standing === 'shown') return claim.claim
  if (claim.standing === 'planned') return `Planned: ${claim.claim}`
  const provided = providedOf(claim.provides) !== NOT_PROVIDED
  return `${provided ? 'By the operator’s word' : 'Not provided yet'}: ${claim.claim}`
}

type Shown = Extract<Claim, { standing: 'shown' }>

function evidenceInWords(evidence: Shown['evidence']): string {
  const pages = evidence.filter((piece) => 'page' in piece).length
  return [counted(evidence.length - pages, 'test'), counted(pages, 'page')].filter(Boolean).join(' and ')
}

function counted(count: number, noun: string): string {
  if (count === 0) return ''
  return count === 1 ? `one ${noun}` : `${count} ${noun}s`
}

function providedOf(key: Extract<Claim, { standing: 'operator' }>['provides']): string {
  return { ...site.provides, ...site.company }[key] ?? NOT_PROVIDED
}
