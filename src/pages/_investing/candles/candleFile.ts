import { createHash } from 'node:crypto'
import { gzipSync } from 'node:zlib'
import { type RealFile, readRealFiles, readRealText } from '../../../../data/realPrices.ts'
import { parseCandles, writeCandles } from '../../../../engine/market/candlesCsv.ts'
import type { Candles } from '../../../../engine/market/market.ts'
import { buildSimulatedMarket, TESTED_UNTIL } from '../../../../engine/market/simulatedMarket.ts'
import { SIMULATED_START } from '../../../../engine/market/simulatedPaths.ts'

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

const cache = new Map<string, CandleFile>()

/** The file of an asset, simulated or real. Throws for an asset that has none. */
export function getCandleFile(asset: string): CandleFile {
  const cached = cache.get(asset)
  if (cached !== undefined) return cached
  const real = readRealFiles().find((pairFile) => pairFile.asset === asset)
  const file = real === undefined ? buildSimulatedFile(asset) : buildRealFile(real)
  cache.set(asset, file)
  return file
}

/** The bars in an asset's file. */
export function getCandles(asset: string): Candles {
  return parseCandles(getCandleFile(asset).text)
}

function buildRealFile(file: RealFile): CandleFile {
  const { asset, pair, sha256 } = file
  return { asset, href: `/candles/kraken/${pair}.csv.gz`, text: readRealText(file), sha256 }
}

function buildSimulatedFile(asset: string): CandleFile {
  const [candles] = buildSimulatedMarket([asset], SIMULATED_START, TESTED_UNTIL).candles
  const text = writeCandles(candles ?? throwMissingBars(asset))
  return { asset, href: `/candles/${asset}.csv`, text, sha256: hashText(text) }
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
