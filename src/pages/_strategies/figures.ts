import type { Backtest, Day, Fall, Figures } from '../../../engine/backtestResult.ts'

/** A figure as the page prints it, under a name that the page’s element carries, too. */
export interface Printed {
  readonly key: string
  readonly label: string
  readonly text: string
}

interface Row {
  readonly of: keyof Figures
  readonly label: string
  /** What it is, for who doesn’t know the word. */
  readonly means: string
  readonly text: (figures: Figures) => string
}

/** The rows of the tables of figures, losses first. */
export const ROWS: readonly Row[] = [
  {
    of: 'maximumDrawdown',
    label: 'Worst fall',
    means: 'From a highest worth down to the lowest after it. The money paid in counts as the first highest.',
    text: ({ maximumDrawdown }) => percent(maximumDrawdown),
  },
  {
    of: 'longestUnderWaterDays',
    label: 'Longest under water',
    means: 'From a highest worth until it was reached again, or until the end.',
    text: ({ longestUnderWaterDays }) => days(longestUnderWaterDays),
  },
  {
    of: 'valueAtRisk95',
    label: 'Lost on one day in twenty',
    means: 'At least so much (historical value at risk, 95 %).',
    text: ({ valueAtRisk95 }) => (valueAtRisk95 === null ? NONE : percent(-valueAtRisk95)),
  },
  {
    of: 'expectedShortfall95',
    label: 'Lost on such a day, on average',
    means: 'The average of those worst days (expected shortfall, 95 %).',
    text: ({ expectedShortfall95 }) => (expectedShortfall95 === null ? NONE : percent(-expectedShortfall95)),
  },
  {
    of: 'costs',
    label: 'Paid in costs',
    means: 'Exchange charges and slippage of all trades.',
    text: ({ costs }) => usd(costs),
  },
  {
    of: 'turnover',
    label: 'Turnover a year',
    means: 'What was bought and sold in a year, for each dollar invested on average.',
    text: ({ turnover }) => times(turnover),
  },
  {
    of: 'totalReturn',
    label: 'Return, whole period',
    means: 'After these costs.',
    text: ({ totalReturn }) => signed(totalReturn),
  },
  {
    of: 'cagr',
    label: 'Return a year',
    means: 'The even yearly return that comes to the same end.',
    text: ({ cagr }) => (cagr === null ? NONE : signed(cagr)),
  },
  {
    of: 'volatility',
    label: 'Swings a year',
    means: 'Volatility: the standard deviation of daily returns, for a year.',
    text: ({ volatility }) => (volatility === null ? NONE : percent(volatility)),
  },
  {
    of: 'sharpe',
    label: 'Sharpe ratio',
    means: 'Return for each unit of swings.',
    text: ({ sharpe }) => ratio(sharpe),
  },
  {
    of: 'sortino',
    label: 'Sortino ratio',
    means: 'Return for each unit of swings downwards.',
    text: ({ sortino }) => ratio(sortino),
  },
  {
    of: 'calmar',
    label: 'Calmar ratio',
    means: 'Yearly return for each unit of the worst fall.',
    text: ({ calmar }) => ratio(calmar),
  },
  {
    of: 'profitFactor',
    label: 'Profit factor',
    means: 'Won in winning trades for each dollar lost in losing ones.',
    text: ({ profitFactor }) => ratio(profitFactor),
  },
  {
    of: 'exposure',
    label: 'Invested on average',
    means: 'The rest was cash, which earns nothing.',
    text: ({ exposure }) => percent(exposure, 0),
  },
]

/** What stands where a figure cannot be known. */
export const NONE = '–'

/** Every figure that a strategy’s page prints, so that the visitor’s browser can compute and compare each of them. */
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
    ...backtest.years.map(({ year, return: gain }) => printed(`year-${year}`, String(year), signed(gain))),
  ]
}

function printedRows(of: string, figures: Figures): Printed[] {
  return ROWS.map(({ of: row, label, text }) => printed(`${of}-${row}`, label, text(figures)))
}

function printedFall(fall: Fall, place: number): Printed[] {
  return [
    printed(`fall-${place}`, `Fall ${place}`, percent(fall.depth)),
    printed(`fall-${place}-from`, `Fall ${place}, from`, fall.from),
    printed(`fall-${place}-to`, `Fall ${place}, to`, fall.to),
    printed(`fall-${place}-back`, `Fall ${place}, back`, backAgain(fall.recovered)),
    printed(`fall-${place}-days`, `Fall ${place}, days`, count(fall.daysUnderWater)),
  ]
}

function printed(key: string, label: string, text: string): Printed {
  return { key, label, text }
}

/** When a fall was made good. */
export function backAgain(recovered: Day | null): string {
  return recovered ?? 'not by the end'
}

/** How long a loss took to be made good after its year. */
export function recovery(daysToRecover: number | null): string {
  if (daysToRecover === null) return 'not by the end of the test'
  return daysToRecover === 0 ? 'nothing was lost' : days(daysToRecover)
}

/** −12.3%; a real minus sign. */
export function percent(share: number, digits = 1): string {
  const [whole = '', part] = Math.abs(share * 100)
    .toFixed(digits)
    .split('.')
  const text = `${grouped(whole)}${part === undefined ? '' : `.${part}`}%`
  return share < 0 && /[1-9]/.test(text) ? `−${text}` : text
}

/** The same with a plus before a gain. */
export function signed(share: number): string {
  const text = percent(share)
  return share > 0 && text !== '0.0%' ? `+${text}` : text
}

/** $1,234.50, in figures that are the same in every browser. */
export function usd(amount: number): string {
  const [whole = '', cents = ''] = Math.abs(amount).toFixed(2).split('.')
  return `${amount < 0 ? '−' : ''}$${grouped(whole)}.${cents}`
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
