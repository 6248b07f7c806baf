import type { Claim } from '../../../content/schemas.ts'
import { type Files, listPages } from './files.ts'
import { type TestSource, testSource } from './testSource.ts'
import type { Uses } from './uses.ts'

export type Evidence =
  | ({ kind: 'test'; file: string; name: string } & TestSource)
  | { kind: 'page'; path: string }

/** The evidence that exists; `findEvidenceFaults` reports the rest. */
export function findEvidence(claim: Claim, files: Files): Evidence[] {
  if (claim.standing !== 'shown') return []
  return claim.evidence.flatMap((piece): Evidence[] => {
    if ('page' in piece) return [{ kind: 'page', path: piece.page }]
    const found = testSource(files.read(piece.file) ?? '', piece.test)
    return found ? [{ kind: 'test', file: piece.file, name: piece.test, ...found }] : []
  })
}

/**
 * The faults of the register, each with its file: missing evidence, an unused claim, a planned claim that a page states as a fact,
 * and a page with an unregistered claim.
 */
export function findFaults(
  register: ReadonlyMap<string, Claim>,
  uses: ReadonlyMap<string, Uses>,
  files: Files,
): string[] {
  const inRegister = [...register].flatMap(([id, claim]) => [
    ...findEvidenceFaults(id, claim, files),
    ...findUseFaults(id, claim, uses.get(id)),
  ])
  const unregistered = [...uses]
    .filter(([id]) => !register.has(id))
    .map(([id, use]) => `${formatPlaces(use)}: src/content/claims has no ${id}.yaml`)
  return [...inRegister, ...unregistered]
}

/** Missing evidence, each with the file and the field of the register that name it. */
export function findEvidenceFaults(id: string, claim: Claim, files: Files): string[] {
  if (claim.standing !== 'shown') return []
  return claim.evidence.flatMap((piece, index) => {
    const at = `src/content/claims/${id}.yaml: evidence.${index}`
    if ('page' in piece) {
      const exists = listPages(files).some(({ path }) => path === piece.page)
      return exists ? [] : [`${at}.page: this site has no page ${piece.page}`]
    }
    const text = files.read(piece.file)
    if (text === undefined) return [`${at}.file: there is no file ${piece.file}`]
    if (testSource(text, piece.test)) return []
    return [`${at}.test: ${piece.file} has no test that runs and is called “${piece.test}”`]
  })
}

function findUseFaults(id: string, { standing }: Claim, use: Uses | undefined): string[] {
  const at = `src/content/claims/${id}.yaml`
  if (standing === 'planned')
    return use ? [`${at}: standing: ${formatPlaces(use)} states as a fact what is only planned`] : []
  return use
    ? []
    : [`${at}: no page makes this claim; wrap its words in <Claim of="${id}">, or delete the file`]
}

function formatPlaces({ everywhere, pages }: Uses): string {
  return [...(everywhere ? ['every public page'] : []), ...pages].join(', ')
}
