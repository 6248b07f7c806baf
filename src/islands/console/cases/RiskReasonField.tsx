import { type Risk, SHORTEST_EXPLANATION } from '../../../contract/console/risk.ts'
import { TextArea } from '../../../design/Field.tsx'
import type { FieldAttributes } from '../../lib/form.ts'

/** Shows the field if the risk has become high since the case was loaded. */
export const RISK_REASON_REFUSED = { reason_required: 'riskReason' } as const

/** Why an operator goes on although the risk of a case is high. Other cases do not have it. */
export function RiskReasonField({ risk, ...field }: FieldAttributes & { risk: Risk | undefined }) {
  if (risk?.level !== 'high' && field.error === undefined) return null
  return (
    <TextArea
      label="Why you go on despite the high risk"
      rows={2}
      maxLength={500}
      hint={`Name what you checked, in at least ${SHORTEST_EXPLANATION} characters. Only operators read it, in the history of the case.`}
      {...field}
    />
  )
}
