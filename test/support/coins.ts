import { env } from 'cloudflare:workers'
import { newId } from '../../worker/lib/crypto/tokens.ts'
import { openDatabase, runBatch } from '../../worker/lib/database.ts'
import { depositAddresses } from '../../worker/lib/tables/payments.ts'
import { newInvestor } from './people.ts'

interface Coin {
  readonly txid: string
  readonly vout: number
  readonly value: bigint
  readonly rawTransaction?: string
}

/** A final payment to the next address of a Bitcoin wallet: a coin that payouts can spend. `coin` makes it for the address's index. */
export async function newCoin(
  wallet: string,
  addressOf: (index: number) => string,
  coinOf: (index: number) => Coin,
): Promise<Coin> {
  const db = openDatabase(env.DB)
  const investor = (await newInvestor()).id
  const nowMs = Date.now()
  const [next] = await db.all<{ position: number }>(
    `SELECT count(*) AS position FROM deposit_addresses WHERE wallet = '${wallet}'`,
  )
  const position = next?.position ?? 0
  const coin = coinOf(position)
  const id = newId()
  const address = addressOf(position)
  await runBatch(db, [
    db.insert(depositAddresses).values({
      id,
      wallet,
      position,
      address,
      script: id,
      investor,
      givenAt: nowMs,
      shownAt: nowMs,
    }),
  ])
  const units = coin.value.toString()
  await env.DB.batch([
    env.DB.prepare(
      `INSERT INTO payments (id, network, reference, address, investor, quantity, units, state, seen_at, height, block_hash,
         confirmations, needed, checked_at)
       VALUES (?1, 'btc', ?2, ?3, ?4, ?5, CAST(?5 AS INTEGER), 'confirming', ?6, 1, 'hash', 3, 3, ?6)`,
    ).bind(id, `${coin.txid}:${coin.vout}`, address, investor, units, nowMs),
    env.DB.prepare(
      `UPDATE payments SET state = 'final', proof = ?2, final_at = ?3, amount = units / 20, rate = '50000', rule = 'price'
       WHERE id = ?1`,
    ).bind(id, JSON.stringify({ transaction: coin.rawTransaction }), nowMs),
  ])
  return coin
}
