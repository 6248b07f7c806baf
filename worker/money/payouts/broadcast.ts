import { eq, sql } from 'drizzle-orm'
import type { Chain } from '../../../src/contract/money/payments.ts'
import { type Database, reading, readTogether, runBatch } from '../../lib/database.ts'
import type { Env } from '../../lib/env.ts'
import { payouts } from '../../lib/tables/payouts.ts'
import { type JsonRpc, jsonRpc } from '../chain/jsonRpc.ts'
import { CallBudget, ServerFault } from '../chain/server.ts'
import { bitcoinOf, ethereumOf } from '../chainServers/configuration.ts'
import { type PayoutEsplora, payoutEsplora } from './bitcoinServer.ts'

/** Two servers, two calls each. */
const CALLS = 4

/**
 * Sends the newest signed transaction of a payout to both servers of its chain. Sending again changes nothing, so a lost answer is no
 * trouble: the cron job repeats it until a server knows the transaction.
 */
export async function broadcastPayout(env: Env, db: Database, payout: string, nowMs: number): Promise<void> {
  const [[sent]] = await readTogether(
    db,
    reading<{ chain: Chain; txid: string; signed: string }>(sql`
      SELECT p.chain, t.txid, t.signed FROM payouts p JOIN payout_transactions t ON t.payout = p.id
      WHERE p.id = ${payout} AND p.state = 'released' AND t.txid IS NOT NULL ORDER BY t.version DESC LIMIT 1`),
  )
  if (sent === undefined) return
  const budget = new CallBudget(CALLS)
  const accepted =
    sent.chain === 'bitcoin'
      ? await eachServer(bitcoinOf(env)?.servers, (server) =>
          sendBitcoin(payoutEsplora(server, budget), sent),
        )
      : await eachServer(ethereumOf(env)?.servers, (server) => sendEthereum(jsonRpc(server, budget), sent))
  await runBatch(db, [
    db
      .update(payouts)
      .set({ checkedAt: nowMs, problem: accepted > 0 ? null : 'not_accepted' })
      .where(eq(payouts.id, payout)),
  ])
}

async function eachServer(
  servers: readonly string[] | undefined,
  send: (server: string) => Promise<boolean>,
): Promise<number> {
  let accepted = 0
  for (const server of servers ?? []) if (await send(server)) accepted++
  return accepted
}

interface Sent {
  readonly txid: string
  readonly signed: string
}

/** Whether the server took a transaction, or has it already. */
export async function sendBitcoin(server: PayoutEsplora, { txid, signed }: Sent): Promise<boolean> {
  return took(
    () => server.broadcast(signed),
    async () => (await server.statusOf(txid)) !== null,
  )
}

export async function sendEthereum(client: JsonRpc, { txid, signed }: Sent): Promise<boolean> {
  return took(
    async () => {
      await client.ask([{ method: 'eth_sendRawTransaction', params: [`0x${signed}`] }])
    },
    async () => {
      const [found] = await client.ask([{ method: 'eth_getTransactionByHash', params: [`0x${txid}`] }])
      return found !== null
    },
  )
}

/** A server refuses what it has already, so a refusal is followed by the question whether it has it. */
async function took(send: () => Promise<void>, knows: () => Promise<boolean>): Promise<boolean> {
  try {
    await send()
    return true
  } catch (error) {
    if (!(error instanceof ServerFault)) throw error
  }
  try {
    return await knows()
  } catch (error) {
    if (!(error instanceof ServerFault)) throw error
    return false
  }
}
