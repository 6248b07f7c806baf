import { eq, sql } from 'drizzle-orm'
import type { Actor } from '../lib/actor.ts'
import type { Database, Statement } from '../lib/database.ts'
import { users } from './tables.ts'

/** A second factor was chosen: a change of security, unless it is the first one that the account ever has. */
export function factorWasChosen(
  db: Database,
  { id, twoFactor }: Pick<Actor, 'id' | 'twoFactor'>,
  nowMs: number,
): Statement {
  const changedAt = sql`CASE WHEN ${users.twoFactorFirstAt} IS NULL THEN ${users.securityChangedAt} ELSE ${nowMs} END`
  return db
    .update(users)
    .set({
      securityChangedAt: twoFactor ? nowMs : changedAt,
      twoFactorFirstAt: sql`coalesce(${users.twoFactorFirstAt}, ${nowMs})`,
    })
    .where(eq(users.id, id))
}
