import { getCollection } from 'astro:content'
import type { Claim } from '../../../content/schemas.ts'
import { faultsInEvidence } from './evidence.ts'
import { filesOf } from './files.ts'
import { type Uses, usesOf } from './uses.ts'

export interface RegisteredClaim {
  id: string
  claim: Claim
  uses: Uses
}

/**
 * All claims, sorted by their words.
 *
 * @throws with file and field if evidence is missing, which fails the build
 */
export async function register(): Promise<RegisteredClaim[]> {
  const entries = await getCollection('claims')
  const files = filesOf()
  const faults = entries.flatMap(({ id, data }) => faultsInEvidence(id, data, files))
  if (faults.length > 0) throw new Error(`The register of claims does not hold:\n${faults.join('\n')}`)
  const uses = usesOf(files)
  return entries
    .map(({ id, data }) => ({ id, claim: data, uses: uses.get(id) ?? { everywhere: false, pages: [] } }))
    .sort((one, other) => one.claim.claim.localeCompare(other.claim.claim, 'en'))
}
