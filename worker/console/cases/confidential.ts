import { type SQL, sql } from 'drizzle-orm'

/** Whether an operator may read confidential notes, silent freezes and their audit lines. The role in the settings, compliance and auditors may. */
export function canReadConfidential(operator: string): SQL {
  return sql`EXISTS (SELECT 1 FROM confidential_readers WHERE id = ${operator})`
}

/** Whether a silent freeze stands on the account of a user id. */
export function isReserved(user: SQL): SQL {
  return sql`EXISTS (SELECT 1 FROM silent_freezes WHERE investor = ${user} AND ended_at IS NULL)`
}
