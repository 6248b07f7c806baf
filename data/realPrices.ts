import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { NamedCandles } from '../engine/market/align.ts'
import { parseCandles } from '../engine/market/candlesCsv.ts'
import type { Market } from '../engine/market/market.ts'
import { buildRealMarket } from '../engine/market/realMarket.ts'
import { REAL_PAIRS } from '../engine/market/realPairs.ts'

/** What `files.json` says of one pair's file. */
export interface RealFile {
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

// Builds, scripts and tests run in the project's root. A bundled module does not know its own path.
const folder = join(process.cwd(), 'data/kraken')

/** The files of real prices, in the order of `REAL_PAIRS`. Throws if one is missing. */
export function readRealFiles(): readonly RealFile[] {
  const { files } = JSON.parse(readFileSync(join(folder, 'files.json'), 'utf8')) as { files: RealFile[] }
  return REAL_PAIRS.map(({ asset }) => {
    const file = files.find((candidate) => candidate.asset === asset)
    if (file === undefined) throw new Error(`data/kraken has no file of ${asset}.`)
    return file
  })
}

/** A file's CSV. Throws if it does not match its hash. */
export function readRealText({ file, sha256 }: RealFile): string {
  const text = readFileSync(join(folder, file), 'utf8')
  if (createHash('sha256').update(text).digest('hex') !== sha256) {
    throw new Error(`data/kraken/${file} does not match its hash in files.json.`)
  }
  return text
}

/** The last day that all files have. Every real test ends there. */
export function readRealLastDay(): string {
  return readRealFiles()
    .map(({ lastDay }) => lastDay)
    .reduce((first, day) => (day < first ? day : first))
}

/** The bars of these assets, or of all five. */
export function readRealCandles(assets?: readonly string[]): NamedCandles[] {
  return readRealFiles()
    .filter(({ asset }) => assets?.includes(asset) ?? true)
    .map((file) => ({ asset: file.asset, candles: parseCandles(readRealText(file)) }))
}

/** The market of these assets, or of all five, until the last day that all files have. */
export function loadRealMarket(assets?: readonly string[]): Market {
  return buildRealMarket(readRealCandles(assets), readRealLastDay())
}
