import { computeSimulatedPrice } from '../../../engine/market/simulatedMarket.ts'
import { SAMPLE_COINS, SAMPLE_TRENDING } from '../../../worker/lib/market/sample.ts'
import type { Chance } from './chance.ts'
import type { Faults } from './faults.ts'

const HOUR_MS = 3_600_000
const DAY_MS = 24 * HOUR_MS

/** USD for one coin at a time: the sample price, moved like the simulated market's first asset. */
export function priceOf(coin: string, atMs: number): number {
  const sample = SAMPLE_COINS.find(({ id }) => id === coin)
  if (sample === undefined) throw new Error(`No price of ${coin}`)
  return movedPrice(sample, moveAt(atMs))
}

function movedPrice({ id, current_price }: (typeof SAMPLE_COINS)[number], move: number): number {
  return id === 'tether' ? 1 : Number((current_price * move).toPrecision(6))
}

function moveAt(atMs: number): number {
  return computeSimulatedPrice(INDEX, atMs) / computeSimulatedPrice(INDEX, BASE_MS)
}

const INDEX = 'sim-index'
const BASE_MS = Date.UTC(2025, 0, 1)

/** A provider that answers like CoinGecko's API v3, at times wrongly. */
export function openPrices(faults: Faults): (address: string, nowMs: number, chance: Chance) => Response {
  // A decimal point slips once in a day at most: the Worker believes a jump that the next list confirms.
  let jumpedMs = Number.NEGATIVE_INFINITY
  let frozenMs: number | null = null
  return (address, nowMs, chance) => {
    if (faults.lasts('prices_silent_for_days', chance, nowMs, 0.5)) throw new TypeError('fetch failed')
    const isFrozen = faults.lasts('prices_frozen_for_days', chance, nowMs, 0.5)
    frozenMs = isFrozen ? (frozenMs ?? nowMs) : null
    const isList = address.includes('/coins/markets') && !address.includes('sparkline=true')
    const jumps = isList && nowMs - jumpedMs > DAY_MS && faults.happens('prices_jumped', chance, 5)
    if (jumps) jumpedMs = nowMs
    return answerOf(address, frozenMs ?? nowMs, jumps ? 10 : 1, faults, chance)
  }
}

function answerOf(address: string, nowMs: number, factor: number, faults: Faults, chance: Chance): Response {
  if (faults.happens('prices_silent', chance, 5)) throw new TypeError('fetch failed')
  if (faults.happens('prices_lied', chance, 5)) return json({ status: 'ok' })
  const atMs = faults.happens('prices_frozen', chance, 5) ? nowMs - 3 * HOUR_MS : nowMs
  if (address.includes('/search/trending')) {
    return json({
      coins: SAMPLE_TRENDING.map(({ id, name, symbol, data }) => ({
        item: {
          id,
          name,
          symbol,
          data: { price: data.price, price_change_percentage_24h: data.price_change_percentage_24h },
        },
      })),
    })
  }
  const seen = new Date(atMs).toISOString()
  if (address.includes('sparkline=true')) {
    const ids = new URL(address).searchParams.get('ids')?.split(',') ?? []
    return json(ids.map((id) => ({ id, sparkline_in_7d: { price: [1, 1] } })))
  }
  const move = moveAt(atMs)
  return json(
    SAMPLE_COINS.map((coin) => ({
      ...coin,
      image: undefined,
      ath: null,
      ath_date: null,
      current_price: movedPrice(coin, move) * factor,
      last_updated: seen,
    })),
  )
}

function json(body: unknown): Response {
  return new Response(JSON.stringify(body), { headers: { 'Content-Type': 'application/json' } })
}
