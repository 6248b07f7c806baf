import type { Claim } from '../../../content/schemas.ts'
import { faultsInEvidence } from './evidence.ts'
import type { Files } from './files.ts'
import type { Uses } from './uses.ts'

/**
 * What is wrong with the register, each fault with its file: evidence that is not there, a claim that no page makes, a
 * planned one that a page states as a fact, and a page that makes a claim which the register doesn't have.
 */
export function faultsOf(
  register: ReadonlyMap<string, Claim>,
  uses: ReadonlyMap<string, Uses>,
  files: Files,
): string[] {
  const inRegister = [...register].flatMap(([id, claim]) => [
    ...faultsInEvidence(id, claim, files),
    ...faultsInUse(id, claim, uses.get(id)),
  ])
  const unknown = [...uses]
    .filter(([id]) => !register.has(id))
    .map(([id, use]) => `${placesOf(use)}: src/content/claims has no ${id}.yaml`)
  return [...inRegister, ...unknown]
}

function faultsInUse(id: string, { standing }: Claim, use: Uses | undefined): string[] {
  const at = `src/content/claims/${id}.yaml`
  if (standing === 'planned')
    return use ? [`${at}: standing: ${placesOf(use)} states as a fact what is only planned`] : []
  return use
    ? []
    : [`${at}: no page makes this claim; wrap its words in <Claim of="${id}">, or delete the file`]
}

function placesOf({ everywhere, pages }: Uses): string {
  return [...(everywhere ? ['every public page'] : []), ...pages].join(', ')
}
