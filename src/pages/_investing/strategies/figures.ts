import type {
  Backtest,
  Check,
  Day,
  Fall,
  Figures,
  RollingYear,
  Year,
} from '../../../../engine/backtestResult.ts'

/** A figure as the page prints it; `key` is its element’s `data-figure`. */
export interface Printed {
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
    label: 'Worst drawdown',
    means: 'The fall from a peak to a later low. The money paid in counts as the first peak.',
    text: ({ maximumDrawdown }) => percent(maximumDrawdown),
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
    text: ({ underWater }) => percent(underWater, 0),
  },
  {
    of: 'valueAtRisk95',
    label: 'Lost on the worst day in twenty',
    means: 'At least this much (historical value at risk, 95%).',
    text: ({ valueAtRisk95 }) => (valueAtRisk95 === null ? NONE : percent(-valueAtRisk95)),
  },
  {
    of: 'expectedShortfall95',
    label: 'Lost on such a day, on average',
    means: 'The average of those worst days (expected shortfall, 95%).',
    text: ({ expectedShortfall95 }) => (expectedShortfall95 === null ? NONE : percent(-expectedShortfall95)),
  },
  {
    of: 'costs',
    label: 'Paid in costs',
    means: 'Exchange fees of all trades, and losses from prices worse than those seen (slippage).',
    text: ({ costs }) => usd(costs),
  },
  {
    of: 'turnover',
    label: 'Turnover a year',
    means: 'Value bought and sold in a year, for each dollar of its average value.',
    text: ({ turnover }) => times(turnover),
  },
  {
    of: 'totalReturn',
    label: 'Return, whole period',
    means: 'Gain or loss on the money paid in, after costs.',
    text: ({ totalReturn }) => signed(totalReturn),
  },
  {
    of: 'cagr',
    label: 'Return a year',
    means: 'The constant yearly return that gives the same result.',
    text: ({ cagr }) => (cagr === null ? NONE : signed(cagr)),
  },
  {
    of: 'volatility',
    label: 'Volatility a year',
    means:
      'How far returns usually stray from their average: the standard deviation of daily returns, for a year.',
    text: ({ volatility }) => (volatility === null ? NONE : percent(volatility)),
  },
  {
    of: 'sharpe',
    label: 'Sharpe ratio',
    means:
      'Average return for each unit of volatility. Below 0 it lost. A little above 0 it may also have lost.',
    text: ({ sharpe }) => ratio(sharpe),
  },
  {
    of: 'sortino',
    label: 'Sortino ratio',
    means: 'The same, but counting only downward volatility.',
    text: ({ sortino }) => ratio(sortino),
  },
  {
    of: 'calmar',
    label: 'Calmar ratio',
    means: 'Yearly return for each unit of the worst drawdown.',
    text: ({ calmar }) => ratio(calmar),
  },
  {
    of: 'profitFactor',
    label: 'Profit factor',
    means: 'Won in winning trades for each dollar lost in losing ones. Below 1 it lost.',
    text: ({ profitFactor }) => ratio(profitFactor),
  },
  {
    of: 'exposure',
    label: 'Invested on average',
    means: 'The rest was cash, which earns nothing.',
    text: ({ exposure }) => percent(exposure, 0),
  },
]

export const NONE = '–'

/** The figures at the strategy’s own costs. */
export function ownFigures({ atCosts, ofBenchmark }: Pick<Backtest, 'atCosts' | 'ofBenchmark'>): Figures {
  return atCosts.find(({ multiple }) => multiple === 1)?.figures ?? ofBenchmark
}

/** Every figure that a strategy’s page prints, for comparison in the visitor’s browser. */
export function printedFigures(backtest: Backtest): Printed[] {
  const { worstYear, inSample, holdOut, ofBenchmark, worstFalls } = backtest
  return [
    printed('days', 'Days tested', count(backtest.days)),
    ...worstFalls.flatMap((fall, place) => printedFall(fall, place + 1)),
    printed('worst-year', 'Worst year', String(worstYear.year)),
    printed('worst-year-became', '$1,000 became', usd(worstYear.thousandBecame)),
    printed('worst-year-recovery', 'Until it was back', recovery(worstYear.daysToRecover)),
    ...backtest.atCosts.flatMap(({ multiple, figures }) => printedRows(`x${multiple}`, figures)),
    ...printedRows('benchmark', ofBenchmark),
    ...(inSample === null ? [] : printedRows('chosen', inSample.figures)),
    ...(holdOut === null ? [] : printedRows('held-out', holdOut.figures)),
    ...backtest.beside.flatMap(({ of, figures }) => printedRows(`beside-${of}`, figures)),
    ...printedYears('year', backtest.years),
    ...printedYears('held-year', backtest.benchmarkYears),
    ...printedRollingYear('rolling', backtest.rollingYear),
    ...printedRollingYear('held-rolling', backtest.benchmarkRollingYear),
  ]
}

function printedYears(of: string, years: readonly Year[]): Printed[] {
  return years.map(({ year, return: gain }) => printed(`${of}-${year}`, String(year), signed(gain)))
}

/** The rows of the table of one-year returns. */
export const ROLLING_ROWS = [
  { key: 'worst', label: 'Worst', text: ({ worst }: RollingYear) => signed(worst.return) },
  { key: 'median', label: 'Middle', text: ({ median }: RollingYear) => signed(median) },
  { key: 'best', label: 'Best', text: ({ best }: RollingYear) => signed(best.return) },
  { key: 'lost', label: 'Lost money', text: ({ lost }: RollingYear) => percent(lost, 0) },
] as const

function printedRollingYear(of: string, rolling: RollingYear | null): Printed[] {
  if (rolling === null) return []
  return ROLLING_ROWS.map(({ key, label, text }) =>
    printed(`${of}-${key}`, `One-year returns, ${label.toLowerCase()}`, text(rolling)),
  )
}

function printedRows(of: string, figures: Figures): Printed[] {
  return ROWS.map(({ of: row, label, text }) => printed(`${of}-${row}`, label, text(figures)))
}

function printedFall(fall: Fall, place: number): Printed[] {
  return [
    printed(`fall-${place}`, `Fall ${place}`, percent(fall.depth)),
    printed(`fall-${place}-from`, `Fall ${place}, from`, fall.from),
    printed(`fall-${place}-to`, `Fall ${place}, to`, fall.to),
    printed(`fall-${place}-back`, `Fall ${place}, back`, recoveredWords(fall.recovered)),
    printed(`fall-${place}-days`, `Fall ${place}, days`, count(fall.daysUnderWater)),
  ]
}

function printed(key: string, label: string, text: string): Printed {
  return { key, label, text }
}

export function recoveredWords(recovered: Day | null): string {
  return recovered ?? 'not yet'
}

/** The recovery time, counted from the end of the losing year. */
export function recovery(daysToRecover: number | null): string {
  if (daysToRecover === null) return 'not by the end of the test'
  return daysToRecover === 0 ? 'nothing was lost' : days(daysToRecover)
}

/** The result of an overfitting check. The kept share of a Sharpe ratio is only shown as a number from 0 to 100 %. */
export function checkText({ of, value }: Check, inSampleSharpe: number | null): string {
  const isKept = of === 'hold-out' || of === 'walk-forward'
  if (value === null) return isKept && (inSampleSharpe ?? 1) <= 0 ? 'there was no gain to keep' : NONE
  if (!isKept || (value >= 0 && value <= 1)) return percent(value, 0)
  return value < 0 ? 'nothing, it lost' : 'more than all of it'
}

export function stoppedWords(day: Day): string {
  return `It hit its own drawdown limit and stopped trading on ${day}`
}

/** −12.3%, with a typographic minus sign. */
export function percent(share: number, digits = 1): string {
  const [whole = '', part] = Math.abs(share * 100)
    .toFixed(digits)
    .split('.')
  const text = `${grouped(whole)}${part === undefined ? '' : `.${part}`}%`
  return share < 0 && /[1-9]/.test(text) ? `−${text}` : text
}

/** Like `percent`, with a plus before a gain. */
export function signed(share: number): string {
  const text = percent(share)
  return share > 0 && text !== '0.0%' ? `+${text}` : text
}

/** $1,234.50, the same in every browser. */
export function usd(amount: number): string {
  const [whole = '', cents = ''] = Math.abs(amount).toFixed(2).split('.')
  return `${amount < 0 ? '−' : ''}$${grouped(whole)}.${cents}`
}

/** $1,235: whole dollars. */
export function dollars(amount: number): string {
  return usd(Math.round(amount)).replace('.00', '')
}

export function count(whole: number): string {
  return grouped(String(Math.round(whole)))
}

function days(whole: number): string {
  return `${count(whole)} ${whole === 1 ? 'day' : 'days'}`
}

function ratio(value: number | null): string {
  if (value === null) return NONE
  const text = Math.abs(value).toFixed(2)
  return value < 0 && text !== '0.00' ? `−${text}` : text
}

function times(value: number | null): string {
  return value === null ? NONE : `${value.toFixed(1)}×`
}

function grouped(digits: string): string {
  return digits.replace(/\B(?=(\d{3})+$)/g, ',')
}
