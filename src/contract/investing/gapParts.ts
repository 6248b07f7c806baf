import { sum } from '../numbers.ts'
/** The causes of a day's live return minus its test's, in the order in which they are shown. */
export const GAP_PARTS = [
  'price',
  'slippage',
  'fees',
  'cashDrag',
  'missed',
  'rounding',
  'unexplained',
] as const
export type GapPart = (typeof GAP_PARTS)[number]
export type GapParts = Readonly<Record<GapPart, number>>

/** Each part's name, and its meaning in a sentence. */
export const GAP_WORDS: Readonly<Record<GapPart, readonly [name: string, meaning: string]>> = {
  price: ['Price', 'The market moved between the day’s open, at which the test trades, and our order.'],
  slippage: [
    'Slippage',
    'Fills were worse than the market’s price at our order, beyond what the test assumes.',
  ],
  fees: ['Fees', 'Fees were higher than the test assumes.'],
  cashDrag: ['Cash drag', 'We held more cash than the test, or other amounts of a coin.'],
  missed: [
    'Missed or late days',
    'The strategy was suspended, or an order waited for more than an hour: for prices, the exchange, or the largest amount allowed.',
  ],
  rounding: ['Rounding', 'Cents, units and prices are whole numbers.'],
  unexplained: ['Unexplained', 'No cause was found. It should be 0.'],
}

/** A day's difference and its parts, in basis points. */
export interface GapDay {
  readonly difference: number
  readonly parts: GapParts
}

/** A row of the chart: a name and its figure of each day, in basis points. */
export interface GapLine {
  readonly name: string
  readonly values: readonly number[]
  /** All days added up. */
  readonly total: number
}

/** The lines of a chart: the difference, then its parts. */
export function buildGapLines(days: readonly GapDay[]): GapLine[] {
  const createLine = (name: string, values: readonly number[]): GapLine => ({
    name,
    values,
    total: sum(values),
  })
  return [
    createLine(
      'Live minus test',
      days.map(({ difference }) => difference),
    ),
    ...GAP_PARTS.map((part) =>
      createLine(
        GAP_WORDS[part][0],
        days.map(({ parts }) => parts[part]),
      ),
    ),
  ]
}

/** "−0.35", "+1.20" or "0.00", in basis points. */
export function formatBasisPoints(value: number): string {
  const digits = Math.abs(value).toFixed(2)
  if (digits === '0.00') return digits
  return `${value < 0 ? '−' : '+'}${digits}`
}

/** The largest figure of all lines, in basis points, at least 1, so that roundings do not look like losses. */
export function computeGapScale(lines: readonly GapLine[]): number {
  return Math.max(1, ...lines.flatMap(({ values }) => values.map(Math.abs)))
}

/**
 * A line's bars as the data of two SVG paths, gains above the middle and losses below it, in a box of one unit of width per day and
 * a height of 2.
 */
export function drawGapBars(
  { values }: GapLine,
  scale: number,
): { readonly gains: string; readonly losses: string } {
  const drawBars = (isOne: (value: number) => boolean) =>
    values
      .map((value, day) => (isOne(value) ? `M${day + 0.1} 1h.8V${(1 - value / scale).toFixed(4)}h-.8z` : ''))
      .join('')
  return { gains: drawBars((value) => value > 0), losses: drawBars((value) => value < 0) }
}
