import type { EntryCode, Statement } from '../../../contract/money/statements.ts'

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

export function summaryOf({ opening, entries, closing }: Statement): Summary {
  const flows = entries.filter(({ code }) => !RESULTS.includes(code)).map(({ change }) => cents(change))
  const sum = (some: readonly number[]) => some.reduce((total, each) => total + each, 0)
  const cameIn = sum(flows.filter((flow) => flow > 0))
  const wentOut = sum(flows.filter((flow) => flow < 0))
  return {
    opening: opening.totalBalance,
    cameIn: cameIn / 100,
    wentOut: wentOut / 100,
    made: (cents(closing.totalBalance) - cents(opening.totalBalance) - cameIn - wentOut) / 100,
    closing: closing.totalBalance,
  }
}

function cents(usd: number): number {
  return Math.round(usd * 100)
}
