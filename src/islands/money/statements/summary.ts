import type { EntryCode, Statement, StatementEntry } from '../../../contract/money/statements.ts'
import { toCents } from '../../../contract/money.ts'
import { sum } from '../../../contract/numbers.ts'

/** What happened to the Total Balance over a statement's period, in USD: opening + cameIn + wentOut + made = closing. */
export interface Summary {
  readonly opening: number
  /** Deposits, bonuses and reversed withdrawals. */
  readonly cameIn: number
  /** Withdrawals and reversed deposits; zero or negative. */
  readonly wentOut: number
  /** Gain or loss of strategies after fees, on units sold and on units owned. */
  readonly made: number
  readonly closing: number
}

const RESULTS: readonly EntryCode[] = ['gain', 'lose', 'fee', 'forfeit']

export function buildSummary({ opening, entries, closing }: Statement): Summary {
  const flows = entries.filter(({ code }) => !RESULTS.includes(code)).map(({ change }) => toCents(change))
  const cameIn = sum(flows.filter((flow) => flow > 0))
  const wentOut = sum(flows.filter((flow) => flow < 0))
  return {
    opening: opening.totalBalance,
    cameIn: cameIn / 100,
    wentOut: wentOut / 100,
    made: (toCents(closing.totalBalance) - toCents(opening.totalBalance) - cameIn - wentOut) / 100,
    closing: closing.totalBalance,
  }
}

/** An entry with its change of the available money, in USD. */
export interface CashEntry extends StatementEntry {
  readonly cash: number
}

export function listCashEntries({ opening, entries }: Pick<Statement, 'opening' | 'entries'>): CashEntry[] {
  return entries.map((entry, index) => {
    const before = entries[index - 1]?.available ?? opening.available
    return { ...entry, cash: (toCents(entry.available) - toCents(before)) / 100 }
  })
}
