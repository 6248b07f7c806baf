import type {
  Backtest,
  Check,
  Day,
  Fall,
  Figures,
  Forward,
  RollingYear,
  Year,
} from '../../../../engine/backtest/backtestResult.ts'
import { formatDay } from '../../../contract/dates.ts'

/** A figure as the page prints it; `key` is its element’s `data-figure`. */
export interface PrintedFigure {
  readonly key: string
  readonly label: string
  readonly text: string
}

interface Row {
  readonly of: keyof Figures
  readonly label: string
  readonly means: string
  readonly text: (figures: Figures) => string
}

/** The rows of the figure tables, losses first. */
export const ROWS: readonly Row[] = [
  {
    of: 'maximumDrawdown',
    label: 'Worst fall',
    means: 'The fall from a peak to a later low (drawdown). The money paid in counts as the first peak.',
    text: ({ maximumDrawdown }) => formatPercent(maximumDrawdown),
  },
  {
    of: 'longestUnderWaterDays',
    label: 'Most days under water',
    means: 'The longest time from a peak until it was reached again, or until the end.',
    text: ({ longestUnderWaterDays }) => count(longestUnderWaterDays),
  },
  {
    of: 'underWater',
    label: 'Time under water',
    means: 'The share of all days that closed below an earlier high.',
    text: ({ underWater }) => formatPercent(underWater, 0),
  },
  {
    of: 'valueAtRisk95',
    label: 'Lost on the worst day in twenty',
    means: 'At least this much (historical value at risk, 95%).',
    text: ({ valueAtRisk95 }) => (valueAtRisk95 === null ? NONE : formatPercent(-valueAtRisk95)),
  },
  {
    of: 'expectedShortfall95',
    label: 'Lost on such a day, on average',
    means: 'The average of those worst days (expected shortfall, 95%).',
    text: ({ expectedShortfall95 }) =>
      expectedShortfall95 === null ? NONE : formatPercent(-expectedShortfall95),
  },
  {
    of: 'costs',
    label: 'Paid in costs',
    means: 'Exchange fees of all trades, and losses from prices worse than those seen (slippage).',
    text: ({ costs }) => formatFigureUsd(costs),
  },
  {
    of: 'turnover',
    label: 'Turnover a year',
    means: 'Value bought and sold in a year, for each dollar of its average value.',
    text: ({ turnover }) => formatMultiple(turnover),
  },
  {
    of: 'totalReturn',
    label: 'Return, whole period',
    means: 'Gain or loss on the money paid in, after costs.',
    text: ({ totalReturn }) => formatSignedPercent(totalReturn),
  },
  {
    of: 'cagr',
    label: 'Return a year',
    means: 'The constant yearly return that gives the same result.',
    text: ({ cagr }) => (cagr === null ? NONE : formatSignedPercent(cagr)),
  },
  {
    of: 'volatility',
    label: 'Volatility a year',
    means:
      'How far returns usually stray from their average: the standard deviation of daily returns, for a year.',
    text: ({ volatility }) => (volatility === null ? NONE : formatPercent(volatility)),
  },
  {
    of: 'sharpe',
    label: 'Sharpe ratio',
    means:
      'Average return for each unit of volatility. Below 0 it lost. A little above 0 it may also have lost.',
    text: ({ sharpe }) => formatRatio(sharpe),
  },
  {
    of: 'sortino',
    label: 'Sortino ratio',
    means: 'The same, but counting only downward volatility.',
    text: ({ sortino }) => formatRatio(sortino),
  },
  {
    of: 'calmar',
    label: 'Calmar ratio',
    means: 'Yearly return for each unit of the worst fall.',
    text: ({ calmar }) => formatRatio(calmar),
  },
  {
    of: 'profitFactor',
    label: 'Profit factor',
    means: 'Won in winning trades for each dollar lost in losing ones. Below 1 it lost.',
    text: ({ profitFactor }) => formatRatio(profitFactor),
  },
  {
    of: 'exposure',
    label: 'Invested on average',
    means: 'The rest was cash, which earns nothing.',
    text: ({ exposure }) => formatPercent(exposure, 0),
  },
]

export const NONE = '–'

/** The figures at the strategy’s own costs. */
export function getOwnFigures({ atCosts, ofBenchmark }: Pick<Backtest, 'atCosts' | 'ofBenchmark'>): Figures {
  return atCosts.find(({ multiple }) => multiple === 1)?.figures ?? ofBenchmark
}

/** Every figure that a strategy’s page prints, for comparison in the visitor’s browser. */
export function listPrintedFigures(backtest: Backtest): PrintedFigure[] {
  const { worstYear, inSample, holdOut, forward, ofBenchmark, worstFalls } = backtest
  return [
    createFigure('days', 'Days tested', count(backtest.days)),
    ...worstFalls.flatMap((fall, place) => listFallFigures(fall, place + 1)),
    createFigure('worst-year', 'Worst year', String(worstYear.year)),
    createFigure('became', '$1,000 became', formatWholeUsd(getOwnFigures(backtest).finalEquity)),
    createFigure('held-became', 'Holding made', formatWholeUsd(ofBenchmark.finalEquity)),
    createFigure('worst-year-became', '$1,000 in its worst year', formatFigureUsd(worstYear.thousandBecame)),
    createFigure('worst-year-recovery', 'Until it was back', describeRecovery(worstYear.daysToRecover)),
    ...backtest.atCosts.flatMap(({ multiple, figures }) => listRowFigures(`x${multiple}`, figures)),
    ...listRowFigures('benchmark', ofBenchmark),
    ...(inSample === null ? [] : listRowFigures('chosen', inSample.figures)),
    ...(holdOut === null ? [] : listRowFigures('held-out', holdOut.figures)),
    ...(forward === null ? [] : listForwardFigures(forward)),
    ...backtest.beside.flatMap(({ of, figures }) => listRowFigures(`beside-${of}`, figures)),
    ...listYearFigures('year', backtest.years),
    ...listYearFigures('held-year', backtest.benchmarkYears),
    ...listRollingYearFigures('rolling', backtest.rollingYear),
    ...listRollingYearFigures('held-rolling', backtest.benchmarkRollingYear),
  ]
}

function listForwardFigures({ figures, ofBenchmark, expected }: Forward): PrintedFigure[] {
  const { least, most } = expected
  return [
    ...listRowFigures('forward', figures),
    createFigure('forward-became', 'Forward, $1,000 became', formatWholeUsd(figures.finalEquity)),
    createFigure('forward-held', 'Forward, held', formatWholeUsd(ofBenchmark.finalEquity)),
    createFigure('forward-least', 'Forward, expected at least', formatWholeUsd(least)),
    createFigure('forward-most', 'Forward, expected at most', formatWholeUsd(most)),
  ]
}

function listYearFigures(of: string, years: readonly Year[]): PrintedFigure[] {
  return years.map(({ year, return: gain }) =>
    createFigure(`${of}-${year}`, String(year), formatSignedPercent(gain)),
  )
}

/** The rows of the table of one-year returns. */
export const ROLLING_ROWS = [
  { key: 'worst', label: 'Worst', text: ({ worst }: RollingYear) => formatSignedPercent(worst.return) },
  { key: 'median', label: 'Middle', text: ({ median }: RollingYear) => formatSignedPercent(median) },
  { key: 'best', label: 'Best', text: ({ best }: RollingYear) => formatSignedPercent(best.return) },
  { key: 'lost', label: 'Lost money', text: ({ lost }: RollingYear) => formatPercent(lost, 0) },
] as const

function listRollingYearFigures(of: string, rolling: RollingYear | null): PrintedFigure[] {
  if (rolling === null) return []
  return ROLLING_ROWS.map(({ key, label, text }) =>
    createFigure(`${of}-${key}`, `One-year returns, ${label.toLowerCase()}`, text(rolling)),
  )
}

function listRowFigures(of: string, figures: Figures): PrintedFigure[] {
  return ROWS.map(({ of: row, label, text }) => createFigure(`${of}-${row}`, label, text(figures)))
}

function listFallFigures(fall: Fall, place: number): PrintedFigure[] {
  return [
    createFigure(`fall-${place}`, `Fall ${place}`, formatPercent(fall.depth)),
    createFigure(`fall-${place}-from`, `Fall ${place}, from`, fall.from),
    createFigure(`fall-${place}-to`, `Fall ${place}, to`, fall.to),
    createFigure(`fall-${place}-back`, `Fall ${place}, back`, formatRecoveryDay(fall.recovered)),
    createFigure(`fall-${place}-days`, `Fall ${place}, days`, count(fall.daysUnderWater)),
  ]
}

function createFigure(key: string, label: string, text: string): PrintedFigure {
  return { key, label, text }
}

export function formatRecoveryDay(recovered: Day | null): string {
  return recovered ?? 'not yet'
}

/** The recovery time, counted from the end of the losing year. */
export function describeRecovery(daysToRecover: number | null): string {
  if (daysToRecover === null) return 'not by the end of the test'
  return daysToRecover === 0 ? 'nothing was lost' : formatDays(daysToRecover)
}

/** The result of an overfitting check. The kept share of a Sharpe ratio is only shown as a number from 0 to 100 %. */
export function checkText({ of, value }: Check, inSampleSharpe: number | null): string {
  const isKept = of === 'hold-out' || of === 'walk-forward' || of === 'forward'
  if (value === null) return isKept && (inSampleSharpe ?? 1) <= 0 ? 'there was no gain to keep' : NONE
  if (!isKept || (value >= 0 && value <= 1)) return formatPercent(value, 0)
  return value < 0 ? 'nothing, it lost' : 'more than all of it'
}

/** When it hit its drawdown limit, and how long it waited. Empty if it never did. */
export function describePauses(
  pauses: Backtest['pauses'],
  { pauseDays }: Backtest['definition']['risk'],
): string {
  if (pauses.length === 0) return ''
  const days = pauses.map(({ from }) => formatDay(from))
  const listed = days.length === 1 ? days.join('') : `${days.slice(0, -1).join(', ')} and ${days.at(-1)}`
  const each = days.length === 1 ? '' : ' each time'
  return `It fell to its own limit on ${listed}, sold everything and waited ${pauseDays} days in cash${each}.`
}

/** The first and the last day. */
export function formatPeriod({ firstDay, lastDay }: Pick<Backtest, 'firstDay' | 'lastDay'>): string {
  return `${formatDay(firstDay)} to ${formatDay(lastDay)}`
}

/** −12.3%, with a typographic minus sign. From 1,000% on without decimals. */
export function formatPercent(share: number, digits = 1): string {
  const [whole = '', part] = Math.abs(share * 100)
    .toFixed(Math.abs(share) >= 10 ? 0 : digits)
    .split('.')
  const text = `${groupDigits(whole)}${part === undefined ? '' : `.${part}`}%`
  return share < 0 && /[1-9]/.test(text) ? `−${text}` : text
}

/** Like `formatPercent`, with a plus before a gain. */
export function formatSignedPercent(share: number): string {
  const text = formatPercent(share)
  return share > 0 && text !== '0.0%' ? `+${text}` : text
}

/** $1,234.50, the same in every browser. */
export function formatFigureUsd(amount: number): string {
  const [whole = '', cents = ''] = Math.abs(amount).toFixed(2).split('.')
  return `${amount < 0 ? '−' : ''}$${groupDigits(whole)}.${cents}`
}

/** $1,235: whole dollars. */
export function formatWholeUsd(amount: number): string {
  return formatFigureUsd(Math.round(amount)).replace('.00', '')
}

export function count(whole: number): string {
  return groupDigits(String(Math.round(whole)))
}

function formatDays(whole: number): string {
  return `${count(whole)} ${whole === 1 ? 'day' : 'days'}`
}

function formatRatio(value: number | null): string {
  if (value === null) return NONE
  const text = Math.abs(value).toFixed(2)
  return value < 0 && text !== '0.00' ? `−${text}` : text
}

function formatMultiple(value: number | null): string {
  return value === null ? NONE : `${value.toFixed(1)}×`
}

function groupDigits(digits: string): string {
  return digits.replace(/\B(?=(\d{3})+$)/g, ',')
}
