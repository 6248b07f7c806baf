import { sql } from 'drizzle-orm'
import type { QueryOf } from '../../../src/contract/endpoint.ts'
import type { listReferrals as endpoint, Referral } from '../../../src/contract/money/referrals.ts'
import { usdOf } from '../../../src/contract/money.ts'
import { type ActorCall, type Answer, type CheckedCall, ok } from '../../http/call.ts'
import { iso, openCursor, pageOf } from '../../http/paging.ts'
import { sha256Hex } from '../../lib/crypto/tokens.ts'
import { reading, readTogether } from '../../lib/database.ts'
import { initialsOf } from './initials.ts'

interface Row {
  readonly seq: number
  readonly id: string
  readonly displayName: string
  readonly createdAt: number
  readonly amount: number | null
}

/**
 * Who came with the actor's link and verified their address, newest first. Of each only the initials and the day are
 * told, and whether a bonus was granted: neither what they hold nor how far they came.
 */
export async function listReferrals(
  call: CheckedCall<unknown, QueryOf<typeof endpoint>> & ActorCall,
): Promise<Answer<Referral[]>> {
  const { limit, cursor } = call.query
  const after = openCursor(cursor)
  const [rows] = await readTogether(
    call.db,
    reading<Row>(sql`
      SELECT u.seq, u.id, u.display_name AS displayName, u.created_at AS createdAt, b.amount
      FROM users u LEFT JOIN referral_bonuses b ON b.invitee = u.id AND b.granted_at IS NOT NULL
      WHERE u.referred_by = ${call.actor.id} AND u.email_verified_at IS NOT NULL
        AND ${after === null ? sql`1` : sql`u.seq < ${after.seq}`}
      ORDER BY u.seq DESC LIMIT ${limit + 1}`),
  )
  const page = pageOf(call, rows, limit, ({ seq }) => ({ at: 0, seq }))
  return ok(await Promise.all(page.rows.map(rowOf)), page.headers)
}

async function rowOf({ id, displayName, createdAt, amount }: Row): Promise<Referral> {
  return {
    // Names the row without naming the account.
    _id: (await sha256Hex(`referral:${id}`)).slice(0, 24),
    initials: initialsOf(displayName),
    joinedAt: iso(createdAt),
    bonus: amount === null ? null : usdOf(amount),
  }
}
