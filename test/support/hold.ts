import { env } from 'cloudflare:workers'
import { DAY_MS } from '../../src/time.ts'

const RULE = 'withdrawal_details_immutable'

/** Shortens a withdrawal's delay by a day, as if that day had passed, by dropping the rule that requests never change. */
export async function letHoldPass(request: string, database = env.DB): Promise<void> {
  const rule = await database
    .prepare('SELECT sql FROM sqlite_master WHERE name = ?')
    .bind(RULE)
    .first<string>('sql')
  if (rule === null) throw new Error('The rule is gone')
  await database.batch([
    database.prepare(`DROP TRIGGER ${RULE}`),
    database
      .prepare('UPDATE withdrawal_details SET held_until = held_until - ? WHERE request = ?')
      .bind(DAY_MS, request),
    database.prepare(rule),
  ])
}
