import type { Claim } from '../../../content/schemas.ts'
import type { Files } from './files.ts'
import { pagesOf } from './pages.ts'
import { type TestSource, testSource } from './testSource.ts'

/** What shows a claim, as its page lets a reader see it. */
export type Evidence =
  | ({ kind: 'test'; file: string; name: string } & TestSource)
  | { kind: 'page'; path: string }

/** The evidence that is there; `faultsInEvidence` tells of what is not. */
export function evidenceOf(claim: Claim, files: Files): Evidence[] {
  if (claim.standing !== 'shown') return []
  return claim.evidence.flatMap((piece): Evidence[] => {
    if ('page' in piece) return [{ kind: 'page', path: piece.page }]
    const found = testSource(files.read(piece.file) ?? '', piece.test)
    return found ? [{ kind: 'test', file: piece.file, name: piece.test, ...found }] : []
  })
}

/** Evidence that is not there, each with the file and the field of the register that name it. */
export function faultsInEvidence(id: string, claim: Claim, files: Files): string[] {
  if (claim.standing !== 'shown') return []
  return claim.evidence.flatMap((piece, index) => {
    const at = `src/content/claims/${id}.yaml: evidence.${index}`
    if ('page' in piece) {
      const exists = pagesOf(files).some(({ path }) => path === piece.page)
      return exists ? [] : [`${at}.page: this site has no page ${piece.page}`]
    }
    const text = files.read(piece.file)
    if (text === undefined) return [`${at}.file: there is no file ${piece.file}`]
    if (testSource(text, piece.test)) return []
    return [`${at}.test: ${piece.file} has no test that runs and is called “${piece.test}”`]
  })
}
