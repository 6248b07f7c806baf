import { createHash } from 'node:crypto'
import { gzipSync } from 'node:zlib'
import { type RealFile, realFiles, realText } from '../../../../data/realPrices.ts'
import { parseCandles, writeCandles } from '../../../../engine/candlesCsv.ts'
import type { Candles } from '../../../../engine/market.ts'
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

const cache = new Map<string, CandleFile>()

/** The file of an asset, simulated or real. Throws for an asset that has none. */
export function candleFile(asset: string): CandleFile {
  const cached = cache.get(asset)
  if (cached !== undefined) return cached
  const real = realFiles().find((each) => each.asset === asset)
  const file = real === undefined ? simulatedFile(asset) : realFile(real)
  cache.set(asset, file)
  return file
}

/** The bars in an asset's file. */
export function candlesOf(asset: string): Candles {
  return parseCandles(candleFile(asset).text)
}

function realFile(file: RealFile): CandleFile {
  const { asset, pair, sha256 } = file
  return { asset, href: `/candles/kraken/${pair}.csv.gz`, text: realText(file), sha256 }
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
