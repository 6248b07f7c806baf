import { createHash } from 'node:crypto'
import { writeCandles } from '../../../../engine/candlesCsv.ts'
import { simulatedMarket, TESTED_UNTIL } from '../../../../engine/simulatedMarket.ts'
import { SIMULATED_START } from '../../../../engine/simulatedPaths.ts'

/** The bars of one asset as a public file, for backtests in the build and in a visitor's browser. */
export interface CandleFile {
  readonly href: string
  readonly text: string
  /** The hash of the file's bytes, in hexadecimal. */
  readonly sha256: string
}

/** The file of a simulated asset, such as `sim-alder.csv`. */
export function candleFile(asset: string): CandleFile {
  const [candles] = simulatedMarket([asset], SIMULATED_START, TESTED_UNTIL).candles
  if (!candles) throw new RangeError(`No bars of ${asset}`)
  const text = writeCandles(candles)
  return { href: `/candles/${asset}.csv`, text, sha256: createHash('sha256').update(text).digest('hex') }
}
