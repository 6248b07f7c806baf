import { getCollection } from 'astro:content'
import type { Claim } from '../../../content/schemas.ts'
import { findEvidenceFaults } from './evidence.ts'
import { openFiles } from './files.ts'
import { findUses, type Uses } from './uses.ts'

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
  const files = openFiles()
  const faults = entries.flatMap(({ id, data }) => findEvidenceFaults(id, data, files))
  if (faults.length > 0) throw new Error(`The register of claims does not hold:\n${faults.join('\n')}`)
  const uses = findUses(files)
  return entries
    .map(({ id, data }) => ({ id, claim: data, uses: uses.get(id) ?? { everywhere: false, pages: [] } }))
    .sort((firstEntry, secondEntry) => firstEntry.claim.claim.localeCompare(secondEntry.claim.claim, 'en'))
}
