import { sql } from 'drizzle-orm'
import { type getWaiting, MOST_COUNTED, type WaitingCounts } from '../../../src/contract/console/overview.ts'
import type { CallOf } from '../../http/call.ts'
import type { WaitingRows } from '../../http/queue.ts'
import { answerWithTag } from '../../http/tagged.ts'
import { buildQuery, type RowQuery, readTogether } from '../../lib/database.ts'
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
  const counts = Object.entries(WAITING).map(
    ([name, { from }]) =>
      sql`(SELECT count(*) FROM (SELECT 1 FROM ${from} LIMIT ${MOST_COUNTED})) AS ${sql.identifier(name)}`,
  )
  const [rows] = await readTogether(
    call.db,
    buildQuery<WaitingCounts>(sql`SELECT ${sql.join(counts, sql`, `)}`),
  )
  // `no-store`, like every answer to a signed-in user. A client that polls can send the ETag.
  return answerWithTag(call, JSON.stringify(rows[0]), { 'Cache-Control': 'no-store' })
}

export interface WaitingQueue {
  readonly name: keyof WaitingCounts
  readonly count: number
  readonly oldest: number | null
}

/** How many cases wait in each queue and since when, counted up to the limit of the queue's own screen. */
export function readWaiting(): RowQuery<WaitingQueue>[] {
  return Object.entries(WAITING).map(([name, { from, oldestFirst }]) =>
    buildQuery(sql`
      SELECT ${name} AS name, count(*) AS count, min(created_at) AS oldest FROM (
        SELECT created_at FROM ${from} ORDER BY ${oldestFirst} LIMIT ${MOST_COUNTED})`),
  )
}
