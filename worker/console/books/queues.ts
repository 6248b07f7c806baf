import { sql } from 'drizzle-orm'
import { getWaiting, MOST_COUNTED, type WaitingCounts } from '../../../src/contract/console/overview.ts'
import { route } from '../../http/call.ts'
import { tagged } from '../../http/tagged.ts'
import { type Read, reading, readTogether } from '../../lib/database.ts'
import type { WaitingRows } from '../cases/queue.ts'
import { deposits } from '../deposits/queue.ts'
import { factorRecoveries } from '../factorRecoveries/recoveries.ts'
import { kyc } from '../kyc/queue.ts'
import { messages } from '../messages/messages.ts'
import { proposals } from '../proposals/proposal.ts'
import { wallets } from '../wallets/wallet.ts'
import { withdrawals } from '../withdrawals/queue.ts'

/** Every queue of the console, each described by one record. */
export const QUEUES = { deposits, withdrawals, kyc, messages, proposals, wallets, factorRecoveries }

const WAITING: Readonly<Record<keyof WaitingCounts, WaitingRows>> = {
  ...deposits.waiting,
  ...withdrawals.waiting,
  ...kyc.waiting,
  ...messages.waiting,
  ...proposals.waiting,
}

/** How many cases wait in each queue: it reads as many rows of an index as wait, whatever was decided before. */
export const showWaiting = route(getWaiting, async (call) => {
  const counts = Object.entries(WAITING).map(
    ([name, { from }]) =>
      sql`(SELECT count(*) FROM (SELECT 1 FROM ${from} LIMIT ${MOST_COUNTED})) AS ${sql.identifier(name)}`,
  )
  const [rows] = await readTogether(call.db, reading<WaitingCounts>(sql`SELECT ${sql.join(counts, sql`, `)}`))
  // Not stored, like every answer to a signed-in user. A client that asks often can send the tag along.
  return tagged(call, JSON.stringify(rows[0]), { 'Cache-Control': 'no-store' })
})

export interface Waiting {
  readonly name: keyof WaitingCounts
  readonly count: number
  readonly oldest: number | null
}

/** How many cases wait in each queue and since when, counted no further than the queues’ own screens count them. */
export function readWaiting(): Read<Waiting>[] {
  return Object.entries(WAITING).map(([name, { from, oldestFirst }]) =>
    reading(sql`
      SELECT ${name} AS name, count(*) AS count, min(created_at) AS oldest FROM (
        SELECT created_at FROM ${from} ORDER BY ${oldestFirst} LIMIT ${MOST_COUNTED})`),
  )
}
