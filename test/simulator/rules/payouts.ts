import { none, type Rule, type Rules } from './rule.ts'

export const PAYOUT_RULES: Rules = {
  payoutsAreOnTheBooks,

  /** A saved address confirms nothing: a destination is known after a withdrawal to it alone. */
  knownDestinationsWereConfirmed: none(`
    SELECT k.investor, k.destination_hash FROM known_destinations k WHERE NOT EXISTS (
      SELECT 1 FROM requests r JOIN withdrawal_details d ON d.request = r.id
      WHERE r.investor = k.investor AND d.destination_hash = k.destination_hash)
    -- A plan that withdraws is confirmed before it withdraws.
    AND NOT EXISTS (
      SELECT 1 FROM audit_log l
      WHERE l.actor = k.investor AND l.at = k.confirmed_at AND json_extract(l.detail, '$.kind') = 'withdraw'
        AND l.action IN ('plan.created', 'plan.changed', 'plan.resumed'))`),
}

interface Booked {
  readonly id: string
  readonly reference: string
  readonly cents: number
}

/**
 * What was really paid is on the books, once, under its own reference, and nothing else is. A restored backup must not forget a payout:
 * its investor could withdraw the same money again.
 */
async function payoutsAreOnTheBooks({
  world,
  model,
  afterMs,
  isLast,
}: Parameters<Rule>[0]): Promise<string | null> {
  const booked = await world.database.rows<Booked>(
    `SELECT e.request AS id, e.reference_key AS reference, e.amount AS cents FROM request_events e JOIN requests r ON r.id = e.request
     WHERE e.status = 'completed' AND r.status = 'completed' AND e.at > ?1`,
    afterMs,
  )
  for (const { id, reference, cents } of booked) {
    const made = model.payouts.get(id)
    if (made?.reference !== reference || made.cents !== cents)
      return `${id}: the books have ${cents} cents under ${reference}, and paid was ${JSON.stringify(made)}`
  }
  const [all] = await world.database.rows<{ ids: string }>(
    `SELECT json_group_array(id) AS ids FROM requests WHERE queue = 'withdrawals' AND status = 'completed'`,
  )
  const ids = new Set<string>(JSON.parse(all?.ids ?? '[]'))
  for (const [id, { investor, cents }] of model.payouts)
    if (!ids.has(id)) return `${investor} was paid ${cents} cents for ${id}, and the books do not say so`
  const [forgotten] = model.unbooked
  return isLast && forgotten !== undefined ? `not filed again: ${JSON.stringify(forgotten)}` : null
}
