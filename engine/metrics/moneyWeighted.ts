import { DAYS_A_YEAR } from './returns.ts'

/**
 * A cash flow: negative for money that the investor paid in, positive for money that came back. The last one is the current
 * value. `day` may have a fraction.
 */
export interface CashFlow {
  readonly day: number
  readonly amount: number
}

/**
 * The internal rate of return of dated flows per year: the r at which Σ a_i·(1 + r)^(−(d_i − d_0)/365) = 0 (as XIRR of
 * spreadsheets; C. R. Bacon, Practical Portfolio Performance Measurement and Attribution, 2008, ch. 2). Null if there is
 * no solution, more than one solution, or only one day of flows. For short periods use `computeMoneyWeightedReturn`.
 */
export function computeXirr(flows: readonly CashFlow[]): number | null {
  const solved = findLogReturn(flows)
  if (solved === null) return null
  const rate = Math.exp((solved.log * DAYS_A_YEAR) / solved.span) - 1
  return Number.isFinite(rate) ? rate : null
}

/** The same for the whole time between the first and the last flow, not annualised. Use it for less than a year. */
export function computeMoneyWeightedReturn(flows: readonly CashFlow[]): number | null {
  const solved = findLogReturn(flows)
  return solved === null ? null : Math.exp(solved.log) - 1
}

/** The search range: from a loss of 99.9999 % to a million times the money paid in, over the whole time. */
const FARTHEST = Math.log(1e6)
const SCANNED = 512

/** The logarithm of growth over the whole time at which the flows' present value is 0. */
function findLogReturn(flows: readonly CashFlow[]): { log: number; span: number } | null {
  const dated = sumFlowsByDay(flows)
  const first = dated[0]
  const last = dated.at(-1)
  if (first === undefined || last === undefined || last.day <= first.day) return null
  const span = last.day - first.day
  const parts = dated.map(({ day, amount }) => ({ after: (day - first.day) / span, amount }))
  const computeWorth = (log: number) =>
    parts.reduce((sum, { after, amount }) => sum + amount * Math.exp(-log * after), 0)
  const found = findBrackets(computeWorth, signChanges(dated))
  const [only] = found
  return only === undefined || found.length > 1 ? null : { log: findRoot(computeWorth, ...only), span }
}

/** One amount for each day, in order, without zero amounts. */
function sumFlowsByDay(flows: readonly CashFlow[]): CashFlow[] {
  const days = new Map<number, number>()
  for (const { day, amount } of flows) days.set(day, (days.get(day) ?? 0) + amount)
  return [...days]
    .map(([day, amount]) => ({ day, amount }))
    .filter(({ amount }) => amount !== 0)
    .sort((a, b) => a.day - b.day)
}

/** By Descartes' rule of signs there are at most as many rates as changes of sign. With one change there is exactly one. */
function signChanges(flows: readonly CashFlow[]): number {
  return flows.filter((flow, i) => i > 0 && Math.sign(flow.amount) !== Math.sign(flows[i - 1]?.amount ?? 0))
    .length
}

/** The intervals in which the present value changes its sign. If there may be several, the range is searched step by step. */
function findBrackets(worth: (log: number) => number, changes: number): [number, number][] {
  if (changes === 0) return []
  const steps = changes === 1 ? 1 : SCANNED
  const found: [number, number][] = []
  for (let step = 0; step < steps; step++) {
    const low = FARTHEST * ((2 * step) / steps - 1)
    const high = FARTHEST * ((2 * (step + 1)) / steps - 1)
    // A root exactly on a step belongs to the interval that ends there.
    if (worth(low) > 0 !== worth(high) > 0) found.push([low, high])
  }
  return found
}

/** Bisects until the two ends are neighbouring doubles, so it always ends. */
function findRoot(worth: (log: number) => number, low: number, high: number): number {
  const below = worth(low) > 0
  let left = low
  let right = high
  for (;;) {
    const middle = (left + right) / 2
    if (middle <= left || middle >= right) return middle
    if (worth(middle) > 0 === below) left = middle
    else right = middle
  }
}
