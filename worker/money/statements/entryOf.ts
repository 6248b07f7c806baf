import type { LedgerEntry } from '../../../src/contract/money/statements.ts'
import { usdOf } from '../../../src/contract/money.ts'
import { iso } from '../../http/paging.ts'
import { changeOf, type EntryRow } from './entries.ts'

/** An entry as the API answers it. `change` in cents: of the balance, unless another figure is meant. */
export function entryOf(row: EntryRow, change = changeOf(row)): LedgerEntry {
  return {
    _id: String(row.seq),
    at: iso(row.at),
    ref: row.ref,
    code: row.code,
    amount: usdOf(row.amount),
    change: usdOf(change),
  }
}
