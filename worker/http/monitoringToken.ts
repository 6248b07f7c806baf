import { and, eq, gt, isNull } from 'drizzle-orm'
import { generateToken, sha256Hex } from '../lib/crypto/tokens.ts'
import type { Database } from '../lib/database.ts'
import { refuse } from '../lib/errors.ts'
import { monitoringTokens } from '../lib/tables/operators.ts'

/** A token of a monitoring program, with 256 random bits. Only its hash is stored. */
export function newMonitoringToken(): string {
  return `monitoring_${generateToken(32)}`
}

/** Refuses 401 without a valid token of a monitoring program, and records the use of one. */
export async function assertMonitoringToken(db: Database, request: Request, nowMs: number): Promise<void> {
  const [, token = ''] =
    /^Bearer (monitoring_[A-Za-z0-9_-]{43})$/.exec(request.headers.get('Authorization') ?? '') ?? []
  if (token === '') refuse('unauthorized')
  const { id, tokenHash, revokedAt, expiresAt } = monitoringTokens
  const used = await db
    .update(monitoringTokens)
    .set({ lastUsedAt: nowMs })
    .where(and(eq(tokenHash, await sha256Hex(token)), isNull(revokedAt), gt(expiresAt, nowMs)))
    .returning({ id })
  if (used.length === 0) refuse('unauthorized')
}
