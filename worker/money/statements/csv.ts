import { ENTRY_WORDS } from '../../../src/contract/money/statements.ts'
import { site } from '../../../src/site.ts'
import type { ActorCall } from '../../http/call.ts'
import { decimal, line, textFile } from '../../http/csv.ts'
import { iso } from '../../http/paging.ts'
import { isoDay } from '../../lib/days.ts'
import { applyEntry, type Balances, balanceOf, changeOf, type EntryRow } from './entries.ts'

interface StatementFile {
  readonly opening: Balances
  /** Unrealised gain or loss in cents, at both ends of the period. */
  readonly unrealised: { readonly opening: number; readonly closing: number }
  readonly firstRows: readonly EntryRow[]
  /** A page with fewer rows is the last one. */
  readonly pageSize: number
  readonly more: (last: EntryRow) => Promise<readonly EntryRow[]>
  /** Epoch milliseconds; 0 for the beginning. */
  readonly from: number
  readonly to: number
}

// The file is ASCII, which a test checks. So it needs no byte order mark, which would end up in the first column's name.
const HEADER = ['Time (UTC)', 'Entry', 'Reference', 'Amount', 'Change', 'Available', 'Held', 'Balance']

/** Streams a statement as CSV (RFC 4180), amounts in USD with two decimals. */
export function csvResponse(call: ActorCall, file: StatementFile): Response {
  const start = file.from === 0 ? '' : `${isoDay(file.from)}-`
  return textFile(call, `${site.slug}-statement-${start}${isoDay(file.to)}`, lines(file))
}

async function* lines(file: StatementFile): AsyncGenerator<string> {
  const { opening, unrealised, firstRows, pageSize, more, from, to } = file
  const start = from === 0 ? '' : iso(from)
  yield line(HEADER) + line([start, 'Opening balance', '', '', '', ...amounts(opening)])
  if (from !== 0) yield totals(start, opening, unrealised.opening)
  let balances = opening
  let rows = firstRows
  for (;;) {
    let text = ''
    for (const row of rows) {
      balances = applyEntry(balances, row)
      text += line([
        iso(row.at),
        ENTRY_WORDS[row.code],
        row.ref ?? '',
        decimal(row.amount),
        decimal(changeOf(row)),
        ...amounts(balances),
      ])
    }
    yield text
    const last = rows.at(-1)
    if (last === undefined || rows.length < pageSize) break
    rows = await more(last)
  }
  yield line([iso(to), 'Closing balance', '', '', '', ...amounts(balances)])
  yield totals(iso(to), balances, unrealised.closing)
}

function amounts(balances: Balances): string[] {
  return [balances.available, balances.held, balanceOf(balances)].map(decimal)
}

/** Rows that lead from the balance to the overview's Total Balance: the parts other than cash, and the unrealised result. */
function totals(time: string, balances: Balances, unrealised: number): string {
  const row = (name: string, cents: number) => line([time, name, '', '', '', '', '', decimal(cents)])
  return [
    row('Of this: orders waiting', balances.allocating),
    row('Of this: in strategies at cost', balances.invested),
    row('Of this: owed', balances.owed),
    row('Unrealised gain or loss', unrealised),
    row('Total Balance', balanceOf(balances) + unrealised),
  ].join('')
}
