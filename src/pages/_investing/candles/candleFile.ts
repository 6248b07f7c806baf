import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { parseCandles, writeCandles } from '../../../../engine/candlesCsv.ts'
import type { Candles } from '../../../../engine/market.ts'
import { REAL_PAIRS } from '../../../../engine/realPairs.ts'
import { simulatedMarket, TESTED_UNTIL } from '../../../../engine/simulatedMarket.ts'
import { SIMULATED_START } from '../../../../engine/simulatedPaths.ts'

/** The bars of one asset as a public file, for backtests in the build and in a visitor's browser. */
export interface CandleFile {
  readonly asset: string
  /** Compressed with gzip if it ends with `.gz`. */
  readonly href: string
  /** As CSV. */
  readonly text: string
  /** The hash of `text`, in hexadecimal. */
  readonly sha256: string
}

/** What `data/kraken/files.json` says of a file. */
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

/** Relative to the project's root, in which builds run: a bundled module does not know its own path. */
const folder = join(process.cwd(), 'data/kraken')

/** The files of real prices, in the order of `REAL_PAIRS`. */
export function realFiles(): readonly RealFile[] {
  const { files } = JSON.parse(readFileSync(join(folder, 'files.json'), 'utf8')) as { files: RealFile[] }
  return REAL_PAIRS.map(({ asset }) => {
    const file = files.find((each) => each.asset === asset)
    if (file === undefined) throw new Error(`data/kraken has no file of ${asset}.`)
    return file
  })
}

/** The last day that all files of real prices have. Every real test ends there. */
export function realLastDay(): string {
  return realFiles()
    .map(({ lastDay }) => lastDay)
    .reduce((first, day) => (day < first ? day : first))
}

const cache = new Map<string, CandleFile>()

/** The file of an asset, simulated or real. Throws for an asset that has none. */
export function candleFile(asset: string): CandleFile {
  const file = cache.get(asset) ?? (isReal(asset) ? realFile(asset) : simulatedFile(asset))
  cache.set(asset, file)
  return file
}

/** The bars in an asset's file. */
export function candlesOf(asset: string): Candles {
  return parseCandles(candleFile(asset).text)
}

function isReal(asset: string): boolean {
  return REAL_PAIRS.some((pair) => pair.asset === asset)
}

function realFile(asset: string): CandleFile {
  const { pair, file, sha256 } = realFiles().find((each) => each.asset === asset) ?? missing(asset)
  const text = readFileSync(join(folder, file), 'utf8')
  if (hashOf(text) !== sha256) throw new Error(`data/kraken/${file} does not match its hash in files.json.`)
  return { asset, href: `/candles/kraken/${pair}.csv.gz`, text, sha256 }
}

function simulatedFile(asset: string): CandleFile {
  const [candles] = simulatedMarket([asset], SIMULATED_START, TESTED_UNTIL).candles
  const text = writeCandles(candles ?? missing(asset))
  return { asset, href: `/candles/${asset}.csv`, text, sha256: hashOf(text) }
}

function missing(asset: string): never {
  throw new RangeError(`No bars of ${asset}`)
}

/** The bytes of a file as it is published. */
export function compressed({ text }: CandleFile): Buffer<ArrayBuffer> {
  return Buffer.from(gzipSync(text, { level: 9 }))
}

function hashOf(text: string): string {
  return createHash('sha256').update(text).digest('hex')
}
