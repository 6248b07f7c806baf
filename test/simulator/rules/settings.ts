import type { World } from '../lane/world.ts'

/** Settings that two administrators decided, in cents and basis points. */
export interface DecidedSettings {
  /** Epoch milliseconds. */
  readonly at: number
  /** The parts that were decided, by key. */
  readonly settings: Readonly<Record<string, unknown>>
}

/**
 * All decisions about settings, in the order in which they took effect. Of two decisions in the same millisecond the one that the
 * audit log has later took effect later.
 */
export async function settingsDecided({ database }: World): Promise<readonly DecidedSettings[]> {
  const proposals = await database.rows<{ at: number; payload: string }>(
    `SELECT p.decided_at AS at, p.payload FROM proposals p
     JOIN audit_log l ON l.subject = p.id AND l.action = 'proposal.approved'
     WHERE p.kind = 'settings' AND p.status = 'approved' ORDER BY p.decided_at, l.seq`,
  )
  return proposals.map(({ at, payload }) => {
    const { was: _was, ...settings } = JSON.parse(payload) as Record<string, unknown>
    return { at, settings }
  })
}
