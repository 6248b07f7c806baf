import { COIN_SYMBOLS } from '../../../src/contract/money/coins.ts'
import type { GAIN_FORMATS, GainReport } from '../../../src/contract/money/gains.ts'
import { site } from '../../../src/site.ts'
import type { ReaderCall } from '../../http/call.ts'
import { createCsvResponse, formatCsvLine, formatDecimal } from '../../http/csv.ts'
import { toIso } from '../../http/paging.ts'
import { formatQuantity } from '../../ledger/custody.ts'
import { getStrategyName } from '../../lib/strategyName.ts'
import { type GainFacts, startOfYear } from './facts.ts'

type FileFormat = Exclude<(typeof GAIN_FORMATS)[number], 'json'>

/** A report as a CSV file: our own columns, or those that tax software imports. */
export function buildGainFile(
  call: ReaderCall,
  format: FileFormat,
  facts: GainFacts,
  report: GainReport,
): Response {
  const name = `${site.slug}-gains-${facts.year}${format === 'csv' ? '' : `-${format}`}`
  return createCsvResponse(call, name, writeLines(FILES[format](report, facts)))
}

async function* writeLines(lines: readonly (readonly string[])[]): AsyncGenerator<string> {
  yield lines.map(formatCsvLine).join('')
}

/** The lines of each format, the header first. */
const FILES: Readonly<Record<FileFormat, (report: GainReport, facts: GainFacts) => string[][]>> = {
  csv: ({ disposals, paidIn, paidOut }) => [
    [
      'Strategy or coin',
      'Units',
      'Bought (UTC)',
      'Bought by',
      'Sold (UTC)',
      'Sold by',
      'Proceeds',
      'Cost',
      'Gain',
      'Term',
    ],
    ...disposals.map(({ sale, lot, units, proceeds, cost, gain, isLong }) => [
      ...[
        sale.strategy,
        String(units),
        lot.at,
        lot.ref ?? '',
        sale.at,
        sale.isFee ? 'Fee' : (sale.ref ?? ''),
      ],
      ...[proceeds, cost, gain].map(formatUsdField),
      isLong ? 'Long' : 'Short',
    ]),
    // A coin paid in is sold to us, and we do not know its cost. One paid out is a purchase.
    ...paidIn.map(({ coin, quantity, at, ref, value }) => [
      ...[coin, quantity, '', '', at, ref, formatUsdField(value), '', '', ''],
    ]),
    ...paidOut.map(({ coin, quantity, at, ref, value }) => [
      ...[coin, quantity, at, ref, '', '', '', formatUsdField(value), '', ''],
    ]),
  ],
  koinly: (_report, facts) => [
    [
      ...['Date', 'Sent Amount', 'Sent Currency', 'Received Amount', 'Received Currency', 'Fee Amount'],
      ...['Fee Currency', 'Net Worth Amount', 'Net Worth Currency', 'Label', 'Description', 'TxHash'],
    ],
    ...listTrades(facts).map(({ atMs, sent, received, description }) => [
      `${toIso(atMs).slice(0, 16).replace('T', ' ')} UTC`,
      ...[...sent, ...received, '', '', '', '', '', description, ''],
    ]),
  ],
  form8949: ({ disposals }) => [
    ['Description', 'Date Acquired', 'Date Sold', 'Sales Proceeds', 'Cost or Other Basis', 'Long/Short'],
    ...disposals.map(({ sale, lot, units, proceeds, cost, isLong }) => [
      `${units} units of ${sale.strategy}`,
      ...[lot.at, sale.at].map(formatUsDate),
      ...[proceeds, cost].map(formatUsdField),
      isLong ? 'Long' : 'Short',
    ]),
  ],
}

interface Trade {
  readonly atMs: number
  readonly sent: readonly [quantity: string, currency: string]
  readonly received: readonly [quantity: string, currency: string]
  readonly description: string
}

/**
 * Each purchase, sale, coin in and coin out of the year as a trade against USD, oldest first, for software that matches lots itself. Koinly names
 * what has no symbol NULL1, NULL2 and so on
 * (https://support.koinly.io/en/articles/9489976-how-to-create-a-custom-csv-file-with-your-data, the universal template).
 */
function listTrades({ year, movements, coins }: GainFacts): Trade[] {
  const strategies = [...new Set(movements.map(({ strategy }) => strategy))]
  const toTrade = (
    atMs: number,
    isPaidIn: boolean,
    what: Trade['sent'],
    cents: number,
    description: string,
  ) => {
    const usd = [formatDecimal(cents), 'USD'] as const
    return { atMs, sent: isPaidIn ? what : usd, received: isPaidIn ? usd : what, description }
  }
  return [
    ...movements
      .filter(({ atMs }) => atMs >= startOfYear(year))
      .map(({ atMs, strategy, units, cents, code, ref }) => {
        const what = [String(Math.abs(units) / 1_000_000), `NULL${strategies.indexOf(strategy) + 1}`] as const
        const name = `Units of ${getStrategyName(strategy)}, ${code === 'fee' ? 'fee' : (ref ?? code)}`
        return toTrade(atMs, units < 0, what, cents, name)
      }),
    ...coins.map(({ atMs, asset, units, cents, ref }) => {
      const quantity = formatQuantity(asset, BigInt(units.replace('-', '')))
      const what = [quantity, asset === 'usd' ? 'USD' : COIN_SYMBOLS[asset]] as const
      return toTrade(atMs, !units.startsWith('-'), what, cents, ref)
    }),
  ].toSorted((a, b) => a.atMs - b.atMs)
}

function formatUsdField(usd: number): string {
  return formatDecimal(Math.round(usd * 100))
}

/** "01/31/2026". */
function formatUsDate(iso: string): string {
  const [year, month, day] = iso.slice(0, 10).split('-')
  return `${month}/${day}/${year}`
}
