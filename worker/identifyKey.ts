import { and, eq, isNull, type SQL, sql } from 'drizzle-orm'
import { alias } from 'drizzle-orm/sqlite-core'
import * as z from 'zod/mini'
import type { Endpoint } from '../src/contract/endpoint.ts'
import { isInNetworks } from '../src/contract/ipNetworks.ts'
import { isWorkingKey } from './http/accessKeys.ts'
import type { KeyReader } from './http/actor.ts'
import { assertWithin, type CounterRow, countForKey } from './http/limits.ts'
import type { Identity } from './identify.ts'
import { type Database, parseStored, type RowQuery, readTogether, selectRows } from './lib/database.ts'
import { type Env, hasRateLimits } from './lib/env.ts'
import { refuse } from './lib/errors.ts'
import { readKeys, users } from './lib/tables/people.ts'

/** Every call with one key. The limit of an endpoint counts for each key as well, apart from the investor’s own calls. */
const KEY_LIMIT = { name: 'keys', per: 'account', max: 120, windowSeconds: 60 } as const

interface KeyRequest {
  readonly env: Env
  readonly db: Database
  readonly endpoint: Endpoint
  readonly keyHash: string
  readonly ip: string
  readonly nowMs: number
}

/**
 * Looks the key up by its hash, counts the use and makes the endpoint's first reads, in one round trip. Refuses 401 if the key does not
 * work, 403 from a network that it does not allow, and 429.
 */
export async function identifyKey(
  { env, db, endpoint, keyHash, ip, nowMs }: KeyRequest,
  buildReads: (actorId: SQL) => readonly RowQuery<unknown>[],
): Promise<Identity> {
  const [k, u] = [alias(readKeys, 'k'), alias(users, 'u')]
  const { id, kind, name, networks, expiresAt, lastUsedAt, investor } = k
  const working = and(isWorkingKey(k, keyHash, nowMs), isNull(u.closedAt), isNull(u.lockedAt))
  const selectFrom = (column: SQL) =>
    sql`(SELECT ${column} FROM read_keys k JOIN users u ON u.id = k.investor WHERE ${working})`
  const own = endpoint.limit?.per === 'account' ? [endpoint.limit] : []
  const limits = hasRateLimits(env) ? [KEY_LIMIT, ...own] : []
  const [[row], ...results] = await readTogether(
    db,
    selectRows({ id, kind, name, networks, expiresAt, lastUsedAt, investor, displayName: u.displayName })
      .from(k)
      .innerJoin(u, eq(u.id, k.investor))
      .where(working),
    ...limits.map((limit) => countForKey(limit, selectFrom(sql`k.id`), nowMs)),
    ...buildReads(selectFrom(sql`k.investor`)),
  )
  if (row === undefined) refuse('unauthorized', { msg: 'This key is wrong, has expired or was revoked.' })
  if (!isInNetworks(ip, parseStored(z.array(z.string()), row.networks)))
    refuse('forbidden', { msg: 'This key does not work from this network.' })
  const actor: KeyReader = { id: row.investor, displayName: row.displayName, key: row }
  const isTouchDue = row.lastUsedAt === null || nowMs - row.lastUsedAt >= 60_000
  return {
    actor,
    claim: null,
    rows: results.slice(limits.length),
    touch: isTouchDue ? () => updateLastUsed(db, row.id, nowMs) : null,
    admit: () => {
      for (const [index, limit] of limits.entries())
        assertWithin(limit, results[index]?.[0] as CounterRow, nowMs)
      return null
    },
  }
}

async function updateLastUsed(db: Database, id: string, nowMs: number): Promise<void> {
  await db.run(sql`UPDATE read_keys SET last_used_at = ${nowMs} WHERE id = ${id} AND revoked_at IS NULL`)
}
