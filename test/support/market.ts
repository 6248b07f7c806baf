import { env } from 'cloudflare:workers'
import { SAMPLE_COINS } from '../../worker/lib/market/sample.ts'

/** Stores the provider's list of coins of this time, with this price of bitcoin in USD. */
export async function setPrice(usd: number, atMs = Date.now()): Promise<void> {
  const coins = SAMPLE_COINS.map((coin) => (coin.id === 'bitcoin' ? { ...coin, current_price: usd } : coin))
  await env.DB.prepare(
    `INSERT INTO market_snapshots (name, body, source, at, held) VALUES ('coins', ?1, 'a-provider', ?2, '{}')
     ON CONFLICT (name) DO UPDATE SET body = ?1, at = ?2`,
  )
    .bind(JSON.stringify(coins), atMs)
    .run()
}
