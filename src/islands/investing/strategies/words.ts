import type { TradedMarket } from '../../../contract/common.ts'
import { formatDateTime, formatDay } from '../../../contract/dates.ts'
import type { Position } from '../../../contract/investing/allocations.ts'
import type { Fill, Strategy } from '../../../contract/investing/strategies.ts'
import { formatUsd } from '../../../contract/money.ts'
import { formatNumber, sum } from '../../../contract/numbers.ts'
import { DAY_MS } from '../../../time.ts'

/** USD of a unit when a strategy starts. */
export const START_PRICE = 100

/** A share as a percentage with its sign, as the public pages print it: +3.2%, −14.0%, +5,817%. */
export function formatSignedPercent(share: number): string {
  const percent = Math.round(share * 1000) / 10
  const size = Math.abs(percent)
  return `${percent > 0 ? '+' : percent < 0 ? '−' : ''}${size < 1000 ? size.toFixed(1) : formatNumber(size, 0)}%`
}

/** What figures were made of: "Simulated, after costs." */
export function describeBasis({ real, name }: TradedMarket): string {
  return `${real ? `Prices of ${name}, simulated money` : 'Simulated'}, after costs.`
}

/** What an amount became in the worst year of the test. Null if these rules were not tested. */
export function describeWorstYear({ backtest }: Pick<Strategy, 'backtest'>, usd: number): string | null {
  if (backtest === null) return null
  const { market, worstYear } = backtest
  const { year, became, recoveredDays, lostAgain } = worstYear
  const left = formatUsd(Math.round(usd * (became / 1000) * 100) / 100)
  const back =
    recoveredDays === null
      ? 'it had not recovered when the test ended'
      : recoveredDays === 0
        ? 'it ended that year without a loss'
        : `it took ${formatDays(recoveredDays)} more to recover${lostAgain ? ', and then it was lost again' : ''}`
  return `In the worst year of the test, ${year}, ${formatUsd(usd)} became ${left}, and ${back}. ${describeBasis(market)}`
}

function formatDays(count: number): string {
  return count === 1 ? '1 day' : `${formatNumber(count)} days`
}

/** Amounts to choose from: at most three usual ones between the smallest and what is available, then all of it. */
export function listAmountChoices(least: number, available: number | null): number[] {
  const most = available ?? Number.POSITIVE_INFINITY
  const usual = [10, 100, 500, 1000, 5000, 10_000].filter((usd) => usd >= least && usd < most).slice(-3)
  return available !== null && available >= least ? [...usual, available] : usual
}

/** For buttons: $1,000, and $1,000.50 where there are cents. */
export function formatWholeUsd(usd: number): string {
  return formatUsd(usd).replace(/\.00$/, '')
}

/** The time of pricing in UTC, and in the reader's time zone if that differs. */
export function formatPricingTime(at: string, timeZone?: string): string {
  const [there, here] = [formatDateTime(at, 'both', 'UTC'), formatDateTime(at, 'both', timeZone)]
  return there === here ? `${there} UTC` : `${there} UTC, which is ${here} where you are`
}

/** How long it is until a time: "5 h 12 min", "12 min", "less than a minute". */
export function describeWait(at: string, nowMs: number): string {
  const minutes = Math.max(0, Math.ceil((Date.parse(at) - nowMs) / 60_000))
  const hours = Math.floor(minutes / 60)
  if (minutes <= 1) return 'less than a minute'
  return hours === 0 ? `${minutes} min` : `${hours} h ${minutes % 60} min`
}

/** Costs of buying or selling, fee and slippage: 0.35%. */
export function describeCosts({ costs }: Pick<Strategy, 'costs'>): string {
  const percent = (costs.feeBasisPoints + costs.slippageBasisPoints) / 100
  return `${percent.toFixed(2)}% of what is bought or sold, when you invest and when you redeem`
}

export function describeLiveReturn({ live }: Pick<Strategy, 'live'>): string {
  if (live.totalReturn === null || live.from === null) return 'No day closed yet'
  return `${formatSignedPercent(live.totalReturn)} in ${formatDays(live.days)}`
}

export function formatWorstFall({ backtest }: Pick<Strategy, 'backtest'>): string {
  return backtest === null ? 'Not tested' : formatSignedPercent(-backtest.maximumDrawdown)
}

/** Rounded to whole dollars: $1,234. */
export function formatWholeDollars(usd: number): string {
  return formatWholeUsd(Math.round(usd))
}

/** Each market and the days of its tests: "Practice market, Jan 2, 2020 to Jun 30, 2026, after costs." Empty without a test. */
export function describeTestedPeriods(strategies: readonly Pick<Strategy, 'backtest'>[]): string {
  const tests = strategies.flatMap(({ backtest }) => backtest ?? [])
  const periods = [...new Set(tests.map(({ market }) => market.name))].map((name) => {
    const own = tests.filter(({ market }) => market.name === name)
    const [from = ''] = own.map((test) => test.from).sort()
    const [to = ''] = own
      .map((test) => test.to)
      .sort()
      .reverse()
    return `${name}, ${formatDay(from)} to ${formatDay(to)}`
  })
  return periods.length === 0 ? '' : `${periods.join('; ')}, after costs.`
}

/** How far the unit price is above a stop. */
export function describeDistance(stopPrice: number, unitPrice: number): string {
  return stopPrice < unitPrice
    ? `That is ${((1 - stopPrice / unitPrice) * 100).toFixed(1)}% below the price now.`
    : 'The price now is already there: it sells if the next valuation is not higher.'
}

type HoldingPeriod = Pick<Position, 'from' | 'to' | 'at'>

/** Whole days for which units were held. */
function countHoldingDays({ from, to, at }: HoldingPeriod): number {
  return from === null ? 0 : Math.floor((Date.parse(to ?? at) - Date.parse(from)) / DAY_MS)
}

/** Oct 8, 2026 to Nov 20, 2026: 43 days. */
export function describeHoldingPeriod(period: HoldingPeriod): string {
  const { from, to } = period
  const since = from === null ? 'Not yet' : formatDay(from)
  return `${since} to ${to === null ? 'now' : formatDay(to)}: ${formatDays(countHoldingDays(period))}`
}

/** Money-weighted return, also per year if it was a year or more: −3.2% in 45 days. */
export function describeOwnReturn({
  moneyWeighted,
  xirr,
  ...period
}: HoldingPeriod & Pick<Position, 'moneyWeighted' | 'xirr'>): string {
  const yearly = xirr === null ? '' : `, ${formatSignedPercent(xirr)} a year`
  return `${formatSignedPercent(moneyWeighted ?? 0)} in ${formatDays(countHoldingDays(period))}${yearly}`
}

export function describeStrategyReturn({ twr, ...period }: HoldingPeriod & Pick<Position, 'twr'>): string {
  return `${formatSignedPercent(twr ?? 0)} in ${formatDays(countHoldingDays(period))}`
}

/** Why there is no return to show; null if there is one. */
export function describeMissingReturn({
  twr,
  ...period
}: HoldingPeriod & Pick<Position, 'twr'>): string | null {
  if (twr !== null) return null
  return countHoldingDays(period) < 1 ? 'Shown after the first whole day' : 'Not calculated beyond 500 orders'
}

/** The asset's share of the holdings at the day's open and close: 0.0% → 33.1%. */
export function describeShareChange({ before, after }: Pick<Fill, 'before' | 'after'>): string {
  if (before === null) return 'Not known'
  const [open, close] = [formatPercent(before), after === null ? 'not closed yet' : formatPercent(after)]
  return open === close ? `${open}, unchanged` : `${open} → ${close}`
}

function formatPercent(share: number): string {
  return `${(share * 100).toFixed(1)}%`
}

/** Index 80.0%, cash 20.0%. `weights` are shares in millionths, by asset. */
export function describeHoldings(
  weights: Readonly<Record<string, number>>,
  assets: readonly { readonly _id: string; readonly name: string }[],
): string {
  const held = assets.flatMap(({ _id, name }) => {
    const share = (weights[_id] ?? 0) / 1e6
    return share === 0 ? [] : `${name} ${formatPercent(share)}`
  })
  const invested = sum(Object.values(weights)) / 1e6
  return [...held, `cash ${formatPercent(Math.max(0, 1 - invested))}`].join(', ')
}

export function formatUnits(units: number): string {
  return formatNumber(units, 6)
}

type SortableStrategy = Pick<Strategy, 'backtest' | 'live' | 'name'>

/** How strategies can be sorted. The first is the default: losses first. */
export const ORDERS = [
  createOrder('Worst fall', ({ backtest }) => backtest?.maximumDrawdown),
  createOrder('Smallest fall', ({ backtest }) => backtest && -backtest.maximumDrawdown),
  createOrder('What $1,000 became', ({ backtest }) => backtest?.became),
  createOrder('Return since it started', ({ live }) => live.totalReturn),
  createOrder('Name', () => 0),
] as const

/** Largest first; unknown values come last, and equal ones by name. */
function createOrder(label: string, of: (strategy: SortableStrategy) => number | null | undefined) {
  const value = (strategy: SortableStrategy) => of(strategy) ?? -1e9
  return {
    label,
    compare: (left: SortableStrategy, right: SortableStrategy) =>
      value(right) - value(left) || left.name.localeCompare(right.name),
  }
}
