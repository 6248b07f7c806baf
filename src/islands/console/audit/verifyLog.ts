import { type Broken, verifyAuditLog } from '../../../contract/console/audit.ts'
import { call } from '../../lib/api.ts'

/** How far a comparison of the whole log has come. */
export interface Compared {
  /** Lines that were compared. */
  lines: number
  /** The number of the newest of them. */
  to: number
  broken: readonly Broken[]
  complete: boolean
  /** Whether the mailed head is still part of the chain; undefined where none was given. */
  head?: boolean | undefined
}

/** The head of the log as it was mailed to the witness. */
export interface MailedHead {
  seq: string
  hash: string
}

/**
 * Compares the whole audit log with its seals, page by page, and tells after each how far it is. Ends with what was found, or
 * where `signal` says so with as much as was compared by then. Throws an `ApiFailure`.
 * @param head is looked for among the seals, where one is given
 */
export async function verifyLog(
  onProgress: (compared: Compared) => void,
  signal: AbortSignal,
  head: MailedHead | null = null,
): Promise<Compared> {
  let compared: Compared = { lines: 0, to: 0, broken: [], complete: false }
  while (!compared.complete && !signal.aborted) {
    const page = await call(verifyAuditLog, { query: { after: String(compared.to), ...head } })
    compared = {
      head: page.head,
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
