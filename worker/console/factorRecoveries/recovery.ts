import { type SQL, sql } from 'drizzle-orm'
import type { FactorRecovery } from '../../../src/contract/console/factorRecoveries.ts'
import type { ActorCall } from '../../http/call.ts'
import { iso } from '../../http/paging.ts'
import { type Read, reading, readTogether } from '../../lib/database.ts'
import { refuse } from '../../lib/errors.ts'
import { investorOf } from '../cases/requests.ts'

/** An investor's request to remove a lost second factor, with what reviewers compare it with. */
export interface Recovery {
  readonly seq: number
  readonly id: string
  readonly investor: string
  readonly investorName: string
  readonly investorEmail: string
  readonly filedAt: number
  readonly effectiveAt: number | null
  readonly endedAt: number | null
  readonly outcome: 'completed' | 'stopped' | 'rejected' | null
  readonly hasTotp: 0 | 1
  readonly hasPasskey: 0 | 1
  readonly documentId: string | null
  readonly documentRef: string | null
  readonly proposal: string | null
  readonly proposedByName: string | null
}

/** Filed requests `r`, newest first, that meet a condition. */
export function readRecoveries(where: SQL, limit: number): Read<Recovery> {
  return reading(sql`
    SELECT r.seq, r.id, r.investor, u.display_name AS investorName, u.email AS investorEmail, r.filed_at AS filedAt,
           r.effective_at AS effectiveAt, r.ended_at AS endedAt, r.outcome,
           EXISTS (SELECT 1 FROM second_factors f WHERE f.user_id = u.id AND f.enabled_at IS NOT NULL) AS hasTotp,
           EXISTS (SELECT 1 FROM passkeys y WHERE y.user_id = u.id) AS hasPasskey,
           k.id AS documentId, k.ref AS documentRef, p.id AS proposal, a.display_name AS proposedByName
    FROM factor_recoveries r JOIN users u ON u.id = r.investor
    LEFT JOIN kyc_submissions k ON k.user_id = u.id AND k.status = 'approved'
    LEFT JOIN proposals p ON p.investor = r.investor AND p.kind = 'factor_recovery'
      AND p.status IN ('pending', 'approved') AND json_extract(p.payload, '$.recovery') = r.id
    LEFT JOIN users a ON a.id = p.proposed_by
    WHERE r.filed_at IS NOT NULL AND ${where} ORDER BY r.seq DESC LIMIT ${limit}`)
}

/** The request that `:id` names. */
export async function loadRecovery(call: ActorCall): Promise<Recovery> {
  const [[recovery]] = await readTogether(call.db, readRecoveries(sql`r.id = ${call.params.id ?? ''}`, 1))
  return recovery ?? refuse('not_found')
}

export function recoveryRow(recovery: Recovery): FactorRecovery {
  const { documentId, documentRef, proposal, proposedByName, effectiveAt, endedAt } = recovery
  return {
    _id: recovery.id,
    investor: investorOf(recovery),
    status: statusOf(recovery),
    filedAt: iso(recovery.filedAt),
    methods: [
      ...(recovery.hasPasskey === 1 ? (['passkey'] as const) : []),
      ...(recovery.hasTotp === 1 ? (['totp'] as const) : []),
    ],
    document: documentId === null ? null : { _id: documentId, ref: documentRef ?? '' },
    proposal: proposal === null ? null : { _id: proposal, proposedBy: proposedByName ?? '' },
    effectiveAt: effectiveAt === null ? null : iso(effectiveAt),
    endedAt: endedAt === null ? null : iso(endedAt),
  }
}

function statusOf({ outcome, effectiveAt, proposal }: Recovery): FactorRecovery['status'] {
  if (outcome !== null) return outcome
  if (effectiveAt !== null) return 'approved'
  return proposal === null ? 'filed' : 'proposed'
}
