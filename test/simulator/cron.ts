import type { CronJobs } from './lane/world.ts'
import type { Operating } from './people/operator.ts'

/**
 * Runs cron, and tells the model whose second factors it removed, because that stops payouts, and what plans ordered and withdrew.
 */
export async function runCron({ world, model }: Operating, jobs?: CronJobs): Promise<void> {
  const [before] = await world.database.rows<{ seq: number | null }>('SELECT max(seq) AS seq FROM audit_log')
  await world.cron(jobs)
  const recovered = await world.database.rows<{ email: string }>(
    `SELECT u.email FROM audit_log l JOIN users u ON u.id = l.subject
     WHERE l.seq > ?1 AND l.action = 'factor_recovery.completed'`,
    before?.seq ?? 0,
  )
  for (const { email } of recovered) model.stopped(email, { cancels: true })
  const ordered = await world.database.rows<{ id: string; email: string; cents: number }>(
    `SELECT o.id, o.cents, u.email FROM audit_log l JOIN unit_orders o ON o.id = l.subject JOIN users u ON u.id = o.investor
     WHERE l.seq > ?1 AND l.action = 'allocation.requested' AND json_extract(l.detail, '$.plan') IS NOT NULL`,
    before?.seq ?? 0,
  )
  for (const { id, email, cents } of ordered) model.allocated(id, email, cents)
  const filed = await world.database.rows<{ id: string; email: string; cents: number; session: string }>(
    `SELECT r.id, r.asked AS cents, u.email, d.session_id AS session
     FROM audit_log l JOIN requests r ON r.id = l.subject JOIN withdrawal_details d ON d.request = r.id JOIN users u ON u.id = r.investor
     WHERE l.seq > ?1 AND l.action = 'withdrawal.requested'`,
    before?.seq ?? 0,
  )
  for (const { id, email, cents, session } of filed) model.held(id, email, cents, session)
}
