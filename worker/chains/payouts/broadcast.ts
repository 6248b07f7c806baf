import { desc, eq, sql } from 'drizzle-orm'
import type { Database } from '../../lib/database.ts'
import type { Env } from '../../lib/env.ts'
import { payouts, payoutTransactions } from '../../lib/tables/payouts.ts'
import { getBitcoinConfiguration, getEthereumConfiguration } from '../servers/configuration.ts'
import { createJsonRpc, type JsonRpc } from '../servers/jsonRpc.ts'
import { CallBudget, ServerFault } from '../servers/server.ts'
import { createPayoutEsplora, type PayoutEsplora } from './bitcoinServer.ts'

/** Two servers, two calls each. */
const CALLS = 4

/**
 * Sends the newest signed transaction of a payout to both servers of its chain. Sending again has no effect, so a lost answer does no
 * harm: the cron job sends it again until a server knows the transaction.
 */
export async function broadcastPayout(env: Env, db: Database, payout: string, nowMs: number): Promise<void> {
  const { txid, signed, version } = payoutTransactions
  const [sent] = await db
    .select({ chain: payouts.chain, txid: sql<string>`${txid}`, signed: sql<string>`${signed}` })
    .from(payouts)
    .innerJoin(payoutTransactions, eq(payoutTransactions.payout, payouts.id))
    .where(sql`${payouts.id} = ${payout} AND ${payouts.state} = 'released' AND ${txid} IS NOT NULL`)
    .orderBy(desc(version))
    .limit(1)
  if (sent === undefined) return
  const budget = new CallBudget(CALLS)
  const accepted =
    sent.chain === 'bitcoin'
      ? await sendToServers(getBitcoinConfiguration(env)?.servers, (server) =>
          sendBitcoin(createPayoutEsplora(server, budget), sent),
        )
      : await sendToServers(getEthereumConfiguration(env)?.servers, (server) =>
          sendEthereum(createJsonRpc(server, budget), sent),
        )
  await db
    .update(payouts)
    .set({ checkedAt: nowMs, problem: accepted > 0 ? null : 'not_accepted' })
    .where(eq(payouts.id, payout))
}

async function sendToServers(
  servers: readonly string[] | undefined,
  send: (server: string) => Promise<boolean>,
): Promise<number> {
  let accepted = 0
  for (const server of servers ?? []) if (await send(server)) accepted++
  return accepted
}

interface SentTransaction {
  readonly txid: string
  readonly signed: string
}

/** Whether the server took a transaction, or has it already. */
export async function sendBitcoin(
  server: PayoutEsplora,
  { txid, signed }: SentTransaction,
): Promise<boolean> {
  return sendOrCheck(
    () => server.broadcast(signed),
    async () => (await server.statusOf(txid)) !== null,
  )
}

export async function sendEthereum(client: JsonRpc, { txid, signed }: SentTransaction): Promise<boolean> {
  return sendOrCheck(
    async () => {
      await client.ask([{ method: 'eth_sendRawTransaction', params: [`0x${signed}`] }])
    },
    async () => {
      const [found] = await client.ask([{ method: 'eth_getTransactionByHash', params: [`0x${txid}`] }])
      return found !== null
    },
  )
}

/** A server refuses a transaction that it already has. So after a refusal, asks whether the server has it. */
async function sendOrCheck(send: () => Promise<void>, knows: () => Promise<boolean>): Promise<boolean> {
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
