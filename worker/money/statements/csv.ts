import { ENTRY_WORDS } from '../../../src/contract/money/statements.ts'
import { site } from '../../../src/site.ts'
import type { ReaderCall } from '../../http/call.ts'
import { createCsvResponse, formatCsvLine, formatDecimal } from '../../http/csv.ts'
import { toIso } from '../../http/paging.ts'
import { formatIsoDay } from '../../lib/days.ts'
import { applyEntry, type Balances, computeChange, type EntryRow, sumBalance } from './entries.ts'

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
export function buildCsvResponse(call: ReaderCall, file: StatementFile): Response {
  const start = file.from === 0 ? '' : `${formatIsoDay(file.from)}-`
  return createCsvResponse(
    call,
    `${site.slug}-statement-${start}${formatIsoDay(file.to)}`,
    generateLines(file),
  )
}

async function* generateLines(file: StatementFile): AsyncGenerator<string> {
  const { opening, unrealised, firstRows, pageSize, more, from, to } = file
  const start = from === 0 ? '' : toIso(from)
  yield formatCsvLine(HEADER) +
    formatCsvLine([start, 'Opening balance', '', '', '', ...formatAmounts(opening)])
  if (from !== 0) yield formatTotals(start, opening, unrealised.opening)
  let balances = opening
  let rows = firstRows
  for (;;) {
    let text = ''
    for (const row of rows) {
      balances = applyEntry(balances, row)
      text += formatCsvLine([
        toIso(row.at),
        ENTRY_WORDS[row.code],
        row.ref ?? '',
        formatDecimal(row.amount),
        formatDecimal(computeChange(row)),
        ...formatAmounts(balances),
      ])
    }
    yield text
    const last = rows.at(-1)
    if (last === undefined || rows.length < pageSize) break
    rows = await more(last)
  }
  yield formatCsvLine([toIso(to), 'Closing balance', '', '', '', ...formatAmounts(balances)])
  yield formatTotals(toIso(to), balances, unrealised.closing)
}

function formatAmounts(balances: Balances): string[] {
  return [balances.available, balances.held, sumBalance(balances)].map(formatDecimal)
}

/** Rows that lead from the balance to the overview's Total Balance: the parts other than cash, and the unrealised result. */
function formatTotals(time: string, balances: Balances, unrealised: number): string {
  const formatTotalRow = (name: string, cents: number) =>
    formatCsvLine([time, name, '', '', '', '', '', formatDecimal(cents)])
  return [
    formatTotalRow('Of this: orders waiting', balances.allocating),
    formatTotalRow('Of this: in strategies at cost', balances.invested),
    formatTotalRow('Of this: owed', balances.owed),
    formatTotalRow('Unrealised gain or loss', unrealised),
    formatTotalRow('Total Balance', sumBalance(balances) + unrealised),
  ].join('')
}
