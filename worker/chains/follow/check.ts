import { desc, eq, inArray, sql } from 'drizzle-orm'
import type { Message } from '../../../src/contract/common.ts'
import { type ActorCall, type Answer, ok } from '../../http/call.ts'
import type { RequestRow } from '../../ledger/requestEvents.ts'
import type { Database } from '../../lib/database.ts'
import { getLogMessage, refuse } from '../../lib/errors.ts'
import { countInWindow } from '../../lib/rateCounters.ts'
import { depositAddresses, watchWallets } from '../../lib/tables/payments.ts'
import { creditPayments } from '../credit/credit.ts'
import { listChains } from '../servers/configuration.ts'

type CheckedAddress = Awaited<ReturnType<typeof readAddresses>>[number]

/** Looks for payments to the actor's newest addresses now. */
export async function checkPayments(call: ActorCall): Promise<Answer<Message>> {
  const { investor, seq } = depositAddresses
  const own = readAddresses(call.db).where(eq(investor, call.actor.id))
  return checkAddresses(call, await own.orderBy(desc(seq)).limit(2))
}

/** Looks for the payment of an announced deposit now. Refuses `not_pending` once it is decided. */
export async function checkDeposit(call: ActorCall, request: RequestRow): Promise<Answer<Message>> {
  if (request.status !== 'pending') refuse('not_pending')
  const isPaidTo = sql`${depositAddresses.address} = (
    SELECT payment_to FROM deposit_details WHERE request = ${request.id})`
  return checkAddresses(call, await readAddresses(call.db).where(isPaidTo))
}

function readAddresses(db: Database) {
  const { address, investor, script, wallet } = depositAddresses
  return db
    .select({ address, investor, script, chain: watchWallets.chain })
    .from(depositAddresses)
    .innerJoin(watchWallets, eq(watchWallets.id, wallet))
}

/** Asks other servers within the calls that investors share in a minute. Above them the next tick looks anyway. */
async function checkAddresses(
  call: ActorCall,
  addresses: readonly CheckedAddress[],
): Promise<Answer<Message>> {
  const { db, env, nowMs } = call
  const chains = listChains(env)
  const observed = addresses.filter(({ chain }) => chains.includes(chain))
  const shown = addresses.map(({ address }) => address)
  await db.update(depositAddresses).set({ shownAt: nowMs }).where(inArray(depositAddresses.address, shown))
  if (observed.length === 0) return ok({ msg: 'There is no address to look at yet.' })
  const bitcoin = observed.filter(({ chain }) => chain === 'bitcoin').slice(0, 1)
  const isEthereum = observed.some(({ chain }) => chain === 'ethereum')
  const mayBitcoin = bitcoin.length > 0 && (await takeLookAllowance(call, 'bitcoin'))
  const mayEthereum = isEthereum && (await takeLookAllowance(call, 'ethereum'))
  if (!mayBitcoin && !mayEthereum) return ok({ msg: 'We look at your address within a minute.' })
  try {
    // Loaded with the first look: the libraries of the chains are large.
    if (mayBitcoin) {
      const { searchBitcoin: lookForBitcoin } = await import('./bitcoin.ts')
      await lookForBitcoin(env, db, bitcoin, nowMs)
    }
    if (mayEthereum) {
      const { searchEthereum: lookForEthereum } = await import('./ethereum.ts')
      await lookForEthereum(env, db, nowMs)
    }
    await creditPayments(env, db, nowMs)
  } catch (error) {
    // The cron job observes the same at the same time, and one of both is refused. The next tick looks again.
    console.error(JSON.stringify({ level: 'error', requestId: call.requestId, error: getLogMessage(error) }))
  }
  return ok({ msg: 'We have looked at the chain now. A payment that we found is in your list.' })
}

/** Looks that all investors share in a minute: one call each on Bitcoin. One look at Ethereum takes up to six and is for all addresses. */
const LOOKS_A_MINUTE = { bitcoin: 4, ethereum: 1 } as const

/** Takes one of the shared looks. Each investor gets one a minute, so that nobody takes them all. */
async function takeLookAllowance(call: ActorCall, chain: keyof typeof LOOKS_A_MINUTE): Promise<boolean> {
  const shared = `payment-checks:${chain}`
  return (
    (await countLook(call, `${shared}:${call.actor.id}`)) <= 1 &&
    (await countLook(call, shared)) <= LOOKS_A_MINUTE[chain]
  )
}

async function countLook({ env, nowMs }: ActorCall, key: string): Promise<number> {
  const row = await env.DB.prepare(
    `INSERT INTO rate_counters (key, window_start, used) VALUES (?1, ?2, 1) ${countInWindow(60_000)} RETURNING used`,
  )
    .bind(key, nowMs)
    .first<{ used: number }>()
  return row?.used ?? 0
}
