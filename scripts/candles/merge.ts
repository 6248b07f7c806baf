import { computeMedian, findFirstLiquidBar } from '../../engine/market/liquidity.ts'
import { toCandles } from '../../worker/investing/candles/columns.ts'
import { type Bar, isSameBar } from '../../worker/investing/candles/parse.ts'
import { type DoubtfulLine, type ReceivedRows, toDoubtfulLine, toIsoDay } from './rows.ts'

/** The stored data of a pair, in order of time. */
export interface Prices {
  readonly bars: readonly Bar[]
  /** Bars that only the jump rule keeps apart. They are judged again with each import. */
  readonly pending: readonly Bar[]
  /** Other lines that are kept apart. */
  readonly doubtful: readonly DoubtfulLine[]
}

export interface Revision {
  readonly stored: Bar
  readonly received: Bar
}

/** A merge, or the revisions that stop it. */
export type Merge =
  | { readonly refused: readonly Revision[] }
  | {
      readonly prices: Prices
      /** In order of time, with the reason of each pending bar. */
      readonly keptApart: readonly DoubtfulLine[]
      readonly added: readonly Bar[]
      readonly known: number
      /** Days of which the stored volume stays, although another one was received. */
      readonly otherVolumes: readonly Revision[]
      readonly revised: readonly Revision[]
      /** Bars that were kept apart and are now confirmed. */
      readonly confirmed: readonly Bar[]
      /** Bars that were stored and are now kept apart, since earlier or later bars show a jump. */
      readonly takenOut: readonly Bar[]
    }

/** What an operator decided, by days such as `2024-01-03`. */
export interface Decisions {
  /** Days whose stored bars may be replaced. */
  readonly acceptedRevisions: ReadonlySet<string>
  /** Days whose jump a second source confirms, with its name. */
  readonly confirmedJumps: ReadonlyMap<string, string>
}

/**
 * Merges received bars into a pair's prices. A received bar with other prices than the stored one is a revision: unless all
 * of them are on accepted days, the merge is refused. The result depends on which bars were received, not on their order.
 */
export function merge(
  before: Prices,
  received: ReceivedRows,
  { acceptedRevisions, confirmedJumps }: Decisions,
): Merge {
  const bars = new Map(before.bars.map((bar) => [bar.day, bar]))
  const pending = new Map(before.pending.map((bar) => [bar.day, bar]))
  const records = [...before.doubtful, ...received.doubtful]
  const revised: Revision[] = []
  const otherVolumes: Revision[] = []
  let known = 0
  for (const bar of received.bars) {
    const stored = bars.get(bar.day)
    const apart = pending.get(bar.day)
    if (stored === undefined) {
      if (apart !== undefined && isSameBar(apart, bar)) continue
      if (apart !== undefined) records.push(toDoubtfulLine(apart, 'corrected by a later download'))
      pending.set(bar.day, bar)
    } else if (isSameBar(stored, bar)) {
      known++
      if (stored.volume !== bar.volume) otherVolumes.push({ stored, received: bar })
    } else {
      revised.push({ stored, received: bar })
      bars.set(bar.day, bar)
    }
  }
  const refused = revised.filter(({ stored }) => !acceptedRevisions.has(toIsoDay(stored.day)))
  if (refused.length > 0) return { refused }

  const all = [...new Map([...pending, ...bars]).values()].sort((a, b) => a.day - b.day)
  const judged = splitOffJumps(all, confirmedJumps)
  const doubtful = sortDistinctLines(records)
  const storedDays = new Set(before.bars.map(({ day }) => day))
  const apartBefore = new Map(before.pending.map((bar) => [bar.day, bar]))
  const added = judged.kept.filter(({ day }) => !storedDays.has(day))
  return {
    prices: { bars: judged.kept, pending: judged.apart.map(({ bar }) => bar), doubtful },
    keptApart: sortDistinctLines([
      ...doubtful,
      ...judged.apart.map(({ bar, reason }) => toDoubtfulLine(bar, reason)),
    ]),
    added,
    known,
    otherVolumes,
    revised,
    confirmed: added.filter((bar) => apartBefore.get(bar.day) === bar),
    takenOut: judged.apart.map(({ bar }) => bar).filter(({ day }) => storedDays.has(day)),
  }
}

const JUMP_UP = 1.5
const JUMP_DOWN = 0.5

/** The bars before a jump whose volumes say what is ordinary. */
const ORDINARY_BARS = 30

/**
 * Keeps a bar apart if its close jumped by more than half and nothing confirms it. The next bar confirms it if its close is nearer to
 * the new close than to the old one. A jump that returns by half or more may still be real. It is a fact if it had an ordinary
 * volume (at least half of the median of the 30 bars before) and a second source confirms it. A wrong print has neither. Until the
 * market is liquid, jumps are ordinary and all bars are kept.
 */
function splitOffJumps(bars: readonly Bar[], confirmedJumps: Decisions['confirmedJumps']) {
  const kept: Bar[] = []
  const apart: { bar: Bar; reason: 'unconfirmed jump' | 'spike' }[] = []
  // No bar up to this one is ever kept apart, so the kept bars have the same first liquid bar.
  const marketBegins = findFirstLiquidBar(toCandles(bars)) ?? Number.POSITIVE_INFINITY
  for (const [index, bar] of bars.entries()) {
    const before = kept.at(-1)
    const next = bars[index + 1]
    if (index <= marketBegins || before === undefined || !hasJumped(before, bar)) kept.push(bar)
    else if (confirmedJumps.has(toIsoDay(bar.day)) && hasOrdinaryVolume(kept, bar)) kept.push(bar)
    else if (next === undefined) apart.push({ bar, reason: 'unconfirmed jump' })
    else if (Math.abs(next.close - bar.close) < Math.abs(next.close - before.close)) kept.push(bar)
    else apart.push({ bar, reason: 'spike' })
  }
  return { kept, apart }
}

function hasJumped(before: Bar, { close }: Bar): boolean {
  return close > before.close * JUMP_UP || close < before.close * JUMP_DOWN
}

function hasOrdinaryVolume(earlier: readonly Bar[], { volume }: Bar): boolean {
  const volumes = earlier.slice(-ORDINARY_BARS).map((bar) => bar.volume)
  return volume >= computeMedian(Float64Array.from(volumes)) / 2
}

/** Each line once, in an order that depends only on the lines. */
function sortDistinctLines(lines: readonly DoubtfulLine[]): DoubtfulLine[] {
  const byText = new Map(lines.map((line) => [[...line.cells, line.reason].join('\n'), line]))
  return [...byText].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, line]) => line)
}
