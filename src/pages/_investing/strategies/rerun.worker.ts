import { type BacktestOptions, runBacktest } from '../../../../engine/backtest/backtest.ts'
import type { Backtest } from '../../../../engine/backtest/backtestResult.ts'
import { compareBacktests } from '../../../../engine/backtest/figuresMatch.ts'
import type { Definition } from '../../../../engine/definition.ts'
import { buildMarket } from '../../../../engine/market/align.ts'
import { parseCandles } from '../../../../engine/market/candlesCsv.ts'
import { type Candles, MarketError } from '../../../../engine/market/market.ts'
import { buildRealMarket } from '../../../../engine/market/realMarket.ts'
import { joinSegments } from '../../../../engine/market/segments.ts'
import { toHex } from '../../../contract/bytes.ts'
import { DAY_MS } from '../../../time.ts'

export interface RerunRequest {
  readonly definition: Definition
  readonly options: BacktestOptions
  readonly isReal: boolean
  readonly candles: readonly { readonly asset: string; readonly path: string; readonly sha256: string }[]
  /** The URL of the published figures. */
  readonly published: string
  /** Whether the definition has other parameters than the published one. */
  readonly isChanged: boolean
}

interface CheckedFile {
  readonly path: string
  readonly sha256: string
  readonly isAsPublished: boolean
}

export type RerunMessage =
  | { readonly state: 'loading'; readonly done: number; readonly of: number }
  | { readonly state: 'computing'; readonly share: number }
  | {
      readonly state: 'done'
      readonly backtest: Backtest
      readonly published: Backtest
      readonly files: readonly CheckedFile[]
      /** The figures that differ from the published ones; null with changed parameters. */
      readonly differences: readonly string[] | null
      readonly ms: number
    }
  | { readonly state: 'failed'; readonly why: 'unavailable' | 'prices' | 'broken'; readonly says: string }

export type RerunDone = Extract<RerunMessage, { state: 'done' }>

addEventListener('message', ({ data }: MessageEvent<RerunRequest>) => {
  void replayBacktest(data, (message) => postMessage(message))
})

/**
 * Runs a strategy’s backtest on the published price files, with the same engine as the build. Sends its progress, then the
 * result or the failure. Never rejects.
 */
async function replayBacktest(request: RerunRequest, send: (message: RerunMessage) => void): Promise<void> {
  const began = performance.now()
  try {
    const files: CheckedFile[] = []
    const segments = new Map<string, Candles[]>()
    for (const { asset, path, sha256 } of request.candles) {
      send({ state: 'loading', done: files.length, of: request.candles.length })
      const bytes = await loadBytes(path)
      const found = await hashBytes(bytes)
      files.push({ path, sha256: found, isAsPublished: found === sha256 })
      const candles = parseCandles(new TextDecoder().decode(bytes))
      segments.set(asset, [...(segments.get(asset) ?? []), candles])
    }
    const named = [...segments].map(([asset, parts]) => ({ asset, candles: joinSegments(parts) }))
    const { definition, options } = request
    const market = request.isReal ? buildRealMarket(named, options.until ?? '') : buildMarket(named, DAY_MS)
    const own = runBacktest(market, definition, options, (share) => send({ state: 'computing', share }))
    const published = (await (await get(request.published)).json()) as Backtest
    send({
      state: 'done',
      backtest: own,
      files,
      published,
      differences: request.isChanged ? null : compareBacktests(own, published),
      ms: performance.now() - began,
    })
  } catch (error) {
    send(toFailureMessage(error))
  }
}

/** A file’s bytes, decompressed. */
async function loadBytes(path: string): Promise<ArrayBuffer> {
  const response = await get(path)
  if (!path.endsWith('.gz') || response.body === null) return response.arrayBuffer()
  const unzipped = new Response(response.body.pipeThrough(new DecompressionStream('gzip')))
  return unzipped.arrayBuffer().catch(() => {
    throw new MarketError('text', 'The file is not compressed with gzip.')
  })
}

class LoadError extends Error {}

async function get(path: string): Promise<Response> {
  const response = await fetch(path).catch(() => null)
  if (!response?.ok) throw new LoadError(path)
  return response
}

async function hashBytes(bytes: ArrayBuffer): Promise<string> {
  const digest = await crypto.subtle.digest('SHA-256', bytes)
  return toHex(new Uint8Array(digest))
}

function toFailureMessage(error: unknown): RerunMessage {
  if (error instanceof MarketError) return { state: 'failed', why: 'prices', says: error.message }
  const why = error instanceof LoadError ? 'unavailable' : 'broken'
  return { state: 'failed', why, says: error instanceof Error ? error.message : String(error) }
}
