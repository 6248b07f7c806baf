import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Named } from '../../../engine/align.ts'
import { parseCandles } from '../../../engine/candlesCsv.ts'
import type { Market } from '../../../engine/market.ts'
import { realMarket } from '../../../engine/realMarket.ts'
import { REAL_PAIRS } from '../../../engine/realPairs.ts'

const folder = join(import.meta.dirname, '../../../data/kraken')

/** What `files.json` says of one file. */
export interface ListedFile {
  readonly asset: string
  readonly pair: string
  readonly file: string
  readonly sha256: string
  readonly bars: number
  readonly firstDay: string
  readonly lastDay: string
  readonly missingDays: readonly string[]
  readonly marketBegins: string
}

export function listedFiles(): ListedFile[] {
  return (JSON.parse(readFileSync(join(folder, 'files.json'), 'utf8')) as { files: ListedFile[] }).files
}

export function fileText(name: string): string {
  return readFileSync(join(folder, name), 'utf8')
}

/** The bars of all real files, or of some assets. */
export function realCandles(assets: readonly string[] = REAL_PAIRS.map(({ asset }) => asset)): Named[] {
  return assets.map((asset) => {
    const pair = REAL_PAIRS.find((each) => each.asset === asset)
    if (pair === undefined) throw new Error(`There is no file of ${asset}.`)
    return { asset, candles: parseCandles(fileText(`${pair.pair}.csv`)) }
  })
}

/** The last day that all files have. */
export const LAST_DAY = listedFiles()
  .map(({ lastDay }) => lastDay)
  .reduce((first, day) => (day < first ? day : first))

/** The market of all real files, or of some assets, up to the last day that all files have. */
export function realMarketOf(assets?: readonly string[]): Market {
  return realMarket(realCandles(assets), LAST_DAY)
}
