import { sql } from 'drizzle-orm'
import type { FailedSignIn } from '../../../src/contract/console/health.ts'
import type { RefusalCode } from '../../../src/contract/errors.ts'
import type { RefusedRequest } from '../../http/securityLog.ts'
import { openDatabase, runBatch } from '../../lib/database.ts'
import type { Env } from '../../lib/env.ts'
import { signInFailures } from '../../lib/tables/platform.ts'

const HOUR_MS = 3_600_000

/** Refusals that count as failed sign-ins. A request for the second factor is none: each such sign-in begins with it. */
const CAUSES: Partial<Readonly<Record<RefusalCode, FailedSignIn>>> = {
  invalid_credentials: 'password',
  invalid_sign_in_code: 'code',
  invalid_sign_in_passkey: 'passkey',
  email_not_verified: 'unverified',
  account_closed: 'closed',
  too_many_codes: 'too_many',
  too_many_requests: 'too_many',
}

/**
 * Counts a failed sign-in by hour and cause for the operators' overview. Runs in its own batch and never fails.
 */
export async function countFailedSignIn(
  env: Env,
  code: RefusalCode,
  { path }: Pick<RefusedRequest, 'path'>,
  nowMs: number,
): Promise<void> {
  const cause = path === '/auth/login' ? CAUSES[code] : undefined
  if (cause === undefined) return
  const hour = Math.floor(nowMs / HOUR_MS) * HOUR_MS
  await runBatch(openDatabase(env.DB), [
    sql`INSERT INTO ${signInFailures} (hour, cause, count) VALUES (${hour}, ${cause}, 1)
      ON CONFLICT (hour, cause) DO UPDATE SET count = count + 1`,
  ]).catch(() => undefined)
}
