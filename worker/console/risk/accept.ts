import { RISK_REASON_MISSING } from '../../../src/contract/console/risk.ts'
import type { ActorCall } from '../../http/call.ts'
import { addStep } from '../../http/steps.ts'
import { newId } from '../../lib/crypto/tokens.ts'
import { refuse } from '../../lib/errors.ts'
import { addInternalNote } from '../cases/internalNote.ts'
import { deriveRisk, type RiskFacts, type RiskKind } from './rules.ts'

interface DecidedCase {
  readonly id: string
  readonly ref: string
  readonly investor: string
  /** Of `selectAccepted`. */
  readonly accepted: string
}

/**
 * What a decision in favour of a case adds while its risk is high: the reason, as a note about the investor, and a line of the audit
 * log with the signs. Refuses `reason_required` without a reason. Adds nothing for other cases.
 */
export function acceptRisk(
  call: ActorCall,
  kind: RiskKind,
  facts: RiskFacts | undefined,
  { id, ref, investor, accepted }: DecidedCase,
  reason: string | undefined,
) {
  const risk = facts && deriveRisk(kind, facts)
  if (risk?.level !== 'high') return { statements: [], audit: [], accepted }
  if (reason === undefined) refuse('reason_required', { fields: { riskReason: RISK_REASON_MISSING } })
  const note = newId()
  const signs = risk.signals.map(({ rule }) => rule).join(' ')
  return {
    statements: addInternalNote(call, investor, `${ref}, high risk`, reason, { id: note, kind: 'suspicion' }),
    audit: [{ action: 'risk.accepted', subject: id, detail: { note, points: risk.score, signs } } as const],
    accepted: addStep(accepted, 'accepted', call, reason),
  }
}
