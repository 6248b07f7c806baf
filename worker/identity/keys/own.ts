import { and, desc, eq, sql } from 'drizzle-orm'
import * as z from 'zod/mini'
import type * as contract from '../../../src/contract/identity/keys.ts'
import { type ActorCall, type Answer, type CallOf, ok } from '../../http/call.ts'
import { toIso, toIsoOrNull } from '../../http/paging.ts'
import { parseStored } from '../../lib/database.ts'
import { refuse } from '../../lib/errors.ts'
import { readKeys } from '../../lib/tables/people.ts'

const MOST_LISTED = 50

/** The actor's keys and guest links, newest first. */
export async function listKeys({ db, actor }: ActorCall): Promise<Answer<contract.Key[]>> {
  const rows = await db
    .select()
    .from(readKeys)
    .where(eq(readKeys.investor, actor.id))
    .orderBy(desc(readKeys.seq))
    .limit(MOST_LISTED)
  return ok(rows.map(toKey))
}

type KeyRow = typeof readKeys.$inferSelect

/** Loads the actor's key `:id`. Refuses `not_found`. */
export async function loadOwnKey({ db, actor, params }: ActorCall): Promise<KeyRow> {
  const [row] = await db
    .select()
    .from(readKeys)
    .where(and(eq(readKeys.id, params.id ?? ''), eq(readKeys.investor, actor.id)))
  return row ?? refuse('not_found')
}

/** Revokes a key. No proof is needed, because a revoked key only reads less. */
export async function revokeKey(call: CallOf<typeof contract.revokeKey>, row: KeyRow) {
  if (row.revokedAt !== null) refuse('already_decided', { msg: 'This key is already revoked.' })
  return call.commit({
    statements: [
      sql`UPDATE read_keys SET revoked_at = ${call.nowMs} WHERE id = ${row.id} AND revoked_at IS NULL`,
    ],
    audit: [{ action: 'key.revoked', subject: row.id, detail: { kind: row.kind } }],
    answer: ok(toKey({ ...row, revokedAt: call.nowMs })),
  })
}

export function toKey(row: Omit<KeyRow, 'seq' | 'investor' | 'tokenHash'>): contract.Key {
  return {
    _id: row.id,
    kind: row.kind,
    name: row.name,
    networks: parseStored(z.array(z.string()), row.networks),
    createdAt: toIso(row.createdAt),
    expiresAt: toIso(row.expiresAt),
    lastUsedAt: toIsoOrNull(row.lastUsedAt),
    revokedAt: toIsoOrNull(row.revokedAt),
  }
}
