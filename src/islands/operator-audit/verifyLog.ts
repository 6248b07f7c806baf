import { type Broken, verifyAuditLog } from '../../contract/operator/audit.ts'
import { call } from '../lib/api.ts'

/** How far a comparison of the whole log has come. */
export interface Compared {
  /** Lines that were compared. */
  lines: number
  /** The number of the newest of them. */
  to: number
  broken: readonly Broken[]
  complete: boolean
}

/**
 * Compares the whole audit log with its seals, page by page, and tells after each how far it is. Ends with what was found, or
 * where `signal` says so with as much as was compared by then. Throws an `ApiFailure`.
 */
export async function verifyLog(
  onProgress: (compared: Compared) => void,
  signal: AbortSignal,
): Promise<Compared> {
  let compared: Compared = { lines: 0, to: 0, broken: [], complete: false }
  while (!compared.complete && !signal.aborted) {
    const page = await call(verifyAuditLog, { query: { after: String(compared.to) } })
    compared = {
      lines: compared.lines + page.sealed + page.unsealed,
      to: page.checkedTo,
      broken: [...compared.broken, ...page.broken],
      // A page that leads nowhere would be asked for without end.
      complete: page.complete || page.checkedTo <= compared.to,
    }
    onProgress(compared)
  }
  return compared
}

/** What is wrong with a line, in words. */
export const WHY: Readonly<Record<Broken['why'], string>> = {
  changed: 'It does not say what was written.',
  deleted: 'It is gone.',
  inserted: 'It was never written by the platform.',
  moved: 'It stands under another number than it was written under.',
  seal: 'The seal that begins here was changed itself, or one before it is gone.',
  block: 'Some line of the older block that begins here is not as it was written.',
}
