import { env } from 'cloudflare:workers'

const DAY_MS = 86_400_000
const RULE = 'withdrawal_details_never_change'

/** Makes a withdrawal wait for a day less, as if that day had passed: by lifting the rule that what was filed never changes. */
export async function letHoldPass(request: string): Promise<void> {
  const rule = await env.DB.prepare('SELECT sql FROM sqlite_master WHERE name = ?')
    .bind(RULE)
    .first<string>('sql')
  if (rule === null) throw new Error('The rule is gone')
  await env.DB.batch([
    env.DB.prepare(`DROP TRIGGER ${RULE}`),
    env.DB.prepare('UPDATE withdrawal_details SET held_until = held_until - ? WHERE request = ?').bind(
      DAY_MS,
      request,
    ),
    env.DB.prepare(rule),
  ])
}
