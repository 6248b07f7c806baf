import { type BrokenLine, verifyAuditLog } from '../../../contract/console/audit.ts'
import { call } from '../../lib/api.ts'

export interface LogComparison {
  /** The number of lines that were compared. */
  lines: number
  /** The highest line number that was compared. */
  to: number
  broken: readonly BrokenLine[]
  complete: boolean
  /** Whether the mailed head is still part of the chain; undefined if none was given. */
  head?: boolean | undefined
}

/** The head of the log, from a mail to the witness. */
export interface MailedHead {
  seq: string
  hash: string
}

/**
 * Compares the whole audit log with its seals, page by page, and reports progress after each page. Stops when `signal`
 * aborts and returns the result so far. Throws an `ApiFailure`.
 * @param head a mailed head to find among the seals
 */
export async function verifyLog(
  onProgress: (compared: LogComparison) => void,
  signal: AbortSignal,
  head: MailedHead | null = null,
): Promise<LogComparison> {
  let compared: LogComparison = { lines: 0, to: 0, broken: [], complete: false }
  while (!compared.complete && !signal.aborted) {
    const page = await call(verifyAuditLog, { query: { after: String(compared.to), ...head } })
    compared = {
      head: page.head,
      lines: compared.lines + page.sealed + page.unsealed,
      to: page.checkedTo,
      broken: [...compared.broken, ...page.broken],
      // A page without progress would repeat for ever.
      complete: page.complete || page.checkedTo <= compared.to,
    }
    onProgress(compared)
  }
  return compared
}

export const WHY: Readonly<Record<BrokenLine['why'], string>> = {
  changed: 'It was changed.',
  deleted: 'It was deleted.',
  inserted: 'It was inserted. The platform did not write it.',
  moved: 'It was moved: it was written under another number.',
  seal: 'The seal that begins here was changed, or an earlier seal was deleted.',
}
