import { count, sql } from 'drizzle-orm'
import { type getWaiting, MOST_COUNTED, type WaitingCounts } from '../../../src/contract/console/overview.ts'
import type { CallOf } from '../../http/call.ts'
import type { WaitingRows } from '../../http/queue.ts'
import { answerWithTag } from '../../http/tagged.ts'
import { type RowOf, readTogether, selectRows, selectValues } from '../../lib/database.ts'
import { deposits } from '../deposits/queue.ts'
import { factorRecoveries } from '../factorRecoveries/recoveries.ts'
import { kyc } from '../kyc/queue.ts'
import { messages } from '../messages/messages.ts'
import { payments } from '../payments/list.ts'
import { proposals } from '../proposals/proposal.ts'
import { wallets } from '../wallets/wallet.ts'
import { withdrawals } from '../withdrawals/queue.ts'

export const QUEUES = { deposits, withdrawals, kyc, messages, proposals, wallets, factorRecoveries, payments }

const WAITING: Readonly<Record<keyof WaitingCounts, WaitingRows>> = {
  ...deposits.waiting,
  ...withdrawals.waiting,
  ...kyc.waiting,
  ...messages.waiting,
  ...proposals.waiting,
  ...payments.waiting,
}

/** How many cases wait in each queue. Reads one index row per waiting case, however many were decided before. */
export async function showWaiting(call: CallOf<typeof getWaiting>) {
  const counts = Object.entries(WAITING).map(([name, { from }]) => [
    name,
    sql`(SELECT count(*) FROM (SELECT 1 FROM ${from} LIMIT ${MOST_COUNTED}))`,
  ])
  const [rows] = await readTogether(call.db, selectValues(Object.fromEntries(counts)))
  // `no-store`, like every answer to a signed-in user. A client that polls can send the ETag.
  return answerWithTag(call, JSON.stringify(rows[0]), { 'Cache-Control': 'no-store' })
}

export type WaitingQueue = RowOf<typeof readWaitingQueue>

/** How many cases wait in each queue and since when, counted up to the limit of the queue's own screen. */
export function readWaiting() {
  return Object.entries(WAITING).map(readWaitingQueue)
}

function readWaitingQueue([name, { from, oldestFirst }]: [string, WaitingRows]) {
  return selectRows({
    name: sql<keyof WaitingCounts>`${name}`,
    count: count(),
    oldest: sql<number | null>`min(created_at)`,
  }).from(sql`(SELECT created_at FROM ${from} ORDER BY ${oldestFirst} LIMIT ${MOST_COUNTED})`)
}
