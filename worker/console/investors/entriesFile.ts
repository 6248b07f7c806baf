import { ENTRY_WORDS } from '../../../src/contract/money/statements.ts'
import { site } from '../../../src/site.ts'
import type { ActorCall } from '../../http/call.ts'
import { decimal, line, textFile } from '../../http/csv.ts'
import { iso, type Position } from '../../http/paging.ts'
import { after, balanceOf, changeOf, NOTHING } from '../../money/statements/entries.ts'
import { type CausedEntry, causeOf } from './entries.ts'

const HEADER = [
  ...['Number', 'Time (UTC)', 'Entry', 'Reference', 'Amount', 'From', 'To', 'Change'],
  ...['Available', 'Held', 'Balance', 'Cause', 'Cause id', 'Reason', 'Posted by'],
]

/**
 * An investor's entries as CSV (RFC 4180), oldest first with the balances after each, amounts in USD; who posted each by id. What
 * a spreadsheet would take for a formula is kept from being one. `more` gives the rows after one; a page with fewer is the last.
 */
export function entriesFile(
  call: ActorCall,
  investor: string,
  firstRows: readonly CausedEntry[],
  pageSize: number,
  more: (last: Position) => Promise<readonly CausedEntry[]>,
): Response {
  const name = `${site.brand.toLowerCase()}-entries-${investor}-${iso(call.nowMs).slice(0, 10)}`
  return textFile(call, name, lines(firstRows, pageSize, more))
}

// A reason may have any letters: without the mark spreadsheets take them for others.
const BYTE_ORDER_MARK = '\uFEFF'

async function* lines(
  firstRows: readonly CausedEntry[],
  pageSize: number,
  more: (last: Position) => Promise<readonly CausedEntry[]>,
): AsyncGenerator<string> {
  yield BYTE_ORDER_MARK + line(HEADER)
  let balances = NOTHING
  for (let rows = firstRows; ; ) {
    let text = ''
    for (const row of rows) {
      balances = after(balances, row)
      text += line([
        ...[String(row.seq), iso(row.at), ENTRY_WORDS[row.code], row.ref ?? '', decimal(row.amount)],
        ...[row.fromKind, row.toKind, decimal(changeOf(row))],
        ...[balances.available, balances.held, balanceOf(balances)].map(decimal),
        ...[causeOf(row), row.causeId, row.reason ?? '', row.actor],
      ])
    }
    yield text
    const last = rows.at(-1)
    if (last === undefined || rows.length < pageSize) return
    rows = await more(last)
  }
}
