import { and, eq, gt, isNull, type SQL } from 'drizzle-orm'
import type { SQLiteColumn } from 'drizzle-orm/sqlite-core'
import { generateToken, sha256Hex } from '../lib/crypto/tokens.ts'
import type { Database } from '../lib/database.ts'
import { refuse } from '../lib/errors.ts'
import { monitoringTokens } from '../lib/tables/operators.ts'

/** What programs send instead of a session’s token. The prefix tells the kinds apart, also for scanners of leaked secrets. */
const PREFIXES = { monitoring: 'monitoring_', program: 'key_', guest: 'guest_' } as const
type KeyKind = keyof typeof PREFIXES

/** A new key with 256 random bits. Only its hash is stored. */
export function newKey(kind: KeyKind): string {
  return PREFIXES[kind] + generateToken(32)
}

/** The hash of the key in the header, by which it is looked up. Null if the header has no key of these kinds. */
export async function readKeyHash(request: Request, kinds: readonly KeyKind[]): Promise<string | null> {
  const [, key = ''] =
    /^Bearer ([a-z]+_[A-Za-z0-9_-]{43})$/.exec(request.headers.get('Authorization') ?? '') ?? []
  return kinds.some((kind) => key.startsWith(PREFIXES[kind])) ? sha256Hex(key) : null
}

/** The columns of a table of keys. */
interface KeyColumns {
  readonly tokenHash: SQLiteColumn
  readonly expiresAt: SQLiteColumn
  readonly revokedAt: SQLiteColumn
}

/** SQL: whether the row is the key with this hash, and still works. */
export function isWorkingKey(keys: KeyColumns, hash: string, nowMs: number): SQL | undefined {
  return and(eq(keys.tokenHash, hash), isNull(keys.revokedAt), gt(keys.expiresAt, nowMs))
}

/** Refuses 401 without a working key of a monitoring program, and records the use of one. */
export async function assertMonitoringToken(db: Database, request: Request, nowMs: number): Promise<void> {
  const hash = await readKeyHash(request, ['monitoring'])
  if (hash === null) refuse('unauthorized')
  const used = await db
    .update(monitoringTokens)
    .set({ lastUsedAt: nowMs })
    .where(isWorkingKey(monitoringTokens, hash, nowMs))
    .returning({ id: monitoringTokens.id })
  if (used.length === 0) refuse('unauthorized')
}
