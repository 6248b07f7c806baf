import { eq, type SQL, sql } from 'drizzle-orm'
import * as z from 'zod/mini'
import type { Passkey } from '../../../src/contract/identity/passkeys.ts'
import { toIso } from '../../http/paging.ts'
import { type Database, parseStored } from '../../lib/database.ts'
import { passkeys } from '../../lib/tables/people.ts'
import type { StoredKey } from './verify.ts'

export type PasskeyRow = typeof passkeys.$inferSelect

/** A user's passkeys, oldest first. */
export function readPasskeys(db: Database, userId: string) {
  return db.select().from(passkeys).where(eq(passkeys.userId, userId)).orderBy(passkeys.seq)
}

/** SQL: a user's passkeys as JSON for `parseKeys`. */
export function selectKeysJson(userId: SQL) {
  return sql<string>`(
    SELECT json_group_array(json_object('id', id, 'credentialId', credential_id, 'publicKey', public_key,
                                        'signCount', sign_count, 'transports', transports))
    FROM passkeys WHERE user_id = ${userId})`
}

const storedKeys = z.array(
  z.object({
    ...{ id: z.string(), credentialId: z.string(), publicKey: z.string(), signCount: z.number() },
    transports: z.string(),
  }),
)

/** Parses the JSON of `selectKeysJson`. */
export function parseKeys(json: string): StoredKey[] {
  return parseStored(storedKeys, json)
}

/** A passkey as its owner sees it. */
export function toPasskey(row: PasskeyRow): Passkey {
  return {
    _id: row.id,
    name: row.name,
    createdAt: toIso(row.createdAt),
    lastUsedAt: row.lastUsedAt === null ? null : toIso(row.lastUsedAt),
    backedUp: row.backedUp === 1,
  }
}
