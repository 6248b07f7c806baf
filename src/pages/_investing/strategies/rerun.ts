import { align } from '../../../../engine/align.ts'
import { backtest } from '../../../../engine/backtest.ts'
import type { Backtest } from '../../../../engine/backtestResult.ts'
import { parseCandles } from '../../../../engine/candlesCsv.ts'
import { figuresMatch } from '../../../../engine/figuresMatch.ts'
import { MarketError } from '../../../../engine/marketError.ts'
import { DAY_MS } from '../../../../engine/metrics/dailyEquity.ts'
import { Lost } from './lost.ts'
import type { CheckedFile, RerunAsked, RerunTold } from './rerunProtocol.ts'

/**
 * Computes a strategy’s figures anew from the published files of prices, with the engine that made those of the page. It tells
 * what it is doing, and in the end what came out, or why nothing did. Never rejects.
 */
export async function rerun(asked: RerunAsked, tell: (told: RerunTold) => void): Promise<void> {
  const began = performance.now()
  try {
    const files: CheckedFile[] = []
    const named = []
    for (const { asset, path, sha256 } of asked.candles) {
      tell({ state: 'loading', done: files.length, of: asked.candles.length })
      const bytes = await (await get(path)).arrayBuffer()
      const found = await hashOf(bytes)
      files.push({ path, sha256: found, isAsPublished: found === sha256 })
      named.push({ asset, candles: parseCandles(new TextDecoder().decode(bytes)) })
    }
    const market = align(named, DAY_MS)
    const isChanged = asked.published === null
    const own = backtest(market, asked.definition, { light: isChanged }, (share) =>
      tell({ state: 'computing', share }),
    )
    const published = asked.published === null ? null : await get(asked.published)
    tell({
      state: 'done',
      backtest: own,
      files,
      differences: published === null ? null : figuresMatch(own, (await published.json()) as Backtest),
      ms: performance.now() - began,
    })
  } catch (error) {
    tell(failure(error))
  }
}

async function get(path: string): Promise<Response> {
  const response = await fetch(path).catch(() => null)
  if (!response?.ok) throw new Lost(path)
  return response
}

async function hashOf(bytes: ArrayBuffer): Promise<string> {
  const digest = await crypto.subtle.digest('SHA-256', bytes)
  return Array.from(new Uint8Array(digest), (byte) => byte.toString(16).padStart(2, '0')).join('')
}

function failure(error: unknown): RerunTold {
  if (error instanceof MarketError) return { state: 'failed', why: 'prices', says: error.message }
  const why = error instanceof Lost ? 'lost' : 'broken'
  return { state: 'failed', why, says: error instanceof Error ? error.message : String(error) }
}
