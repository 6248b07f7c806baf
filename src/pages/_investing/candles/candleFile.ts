import { createHash } from 'node:crypto'
import { gzipSync } from 'node:zlib'
import { type RealFile, readRealFiles, readRealText } from '../../../../data/realPrices.ts'
import { parseCandles, writeCandles } from '../../../../engine/market/candlesCsv.ts'
import type { Candles } from '../../../../engine/market/market.ts'
import { buildSimulatedMarket, TESTED_UNTIL } from '../../../../engine/market/simulatedMarket.ts'
import { SIMULATED_START } from '../../../../engine/market/simulatedPaths.ts'

/** The bars of one asset, or of one venue's segment of them, as a public file, for backtests in the build and in a visitor's browser. */
export interface CandleFile {
  readonly asset: string
  /** Compressed with gzip if it ends with `.gz`. */
  readonly href: string
  /** As CSV. */
  readonly text: string
  /** The hash of `text`, in hexadecimal. */
  readonly sha256: string
  /** Where real prices come from; null for simulated ones. */
  readonly source: RealFile | null
}

const cache = new Map<string, readonly CandleFile[]>()

/** The files of an asset, in the order of time: one if it is simulated, one of each venue if it is real. Throws for an asset that has none. */
export function listCandleFiles(asset: string): readonly CandleFile[] {
  const cached = cache.get(asset)
  if (cached !== undefined) return cached
  const real = readRealFiles().filter((pairFile) => pairFile.asset === asset)
  const files = real.length === 0 ? [buildSimulatedFile(asset)] : real.map(buildRealFile)
  cache.set(asset, files)
  return files
}

/** The file of a simulated asset. */
export function getSimulatedFile(asset: string): CandleFile {
  const [file] = listCandleFiles(asset)
  return file ?? throwMissingBars(asset)
}

/** The bars of a simulated asset. */
export function getSimulatedCandles(asset: string): Candles {
  return parseCandles(getSimulatedFile(asset).text)
}

function buildRealFile(file: RealFile): CandleFile {
  const { asset, venue, pair, sha256 } = file
  return {
    asset,
    href: `/candles/${venue.id}/${pair}.csv.gz`,
    text: readRealText(file),
    sha256,
    source: file,
  }
}

function buildSimulatedFile(asset: string): CandleFile {
  const [candles] = buildSimulatedMarket([asset], SIMULATED_START, TESTED_UNTIL).candles
  const text = writeCandles(candles ?? throwMissingBars(asset))
  return { asset, href: `/candles/${asset}.csv`, text, sha256: hashText(text), source: null }
}

function throwMissingBars(asset: string): never {
  throw new RangeError(`No bars of ${asset}`)
}

/** The bytes of a file as it is published. */
export function encodeCandleFile({ text }: CandleFile): Buffer<ArrayBuffer> {
  return Buffer.from(gzipSync(text, { level: 9 }))
}

function hashText(text: string): string {
  return createHash('sha256').update(text).digest('hex')
}
