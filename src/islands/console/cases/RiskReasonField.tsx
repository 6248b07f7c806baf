import { type Risk, SHORTEST_EXPLANATION } from '../../../contract/console/risk.ts'
import { TextArea } from '../../../design/Field.tsx'
import type { FieldAttributes } from '../../lib/form.ts'

/** Shows the field if the risk has become high since the case was loaded. */
export const RISK_REASON_REFUSED = { reason_required: 'riskReason' } as const

interface RiskReasonFieldProps extends FieldAttributes {
  risk: Risk | undefined
  /** The label of a reason that the decision needs at any risk. */
  otherwise?: string | undefined
}

/** Asks why an operator goes on at a high risk, or for another reason. Hidden if the decision needs no reason. */
export function RiskReasonField({ risk, otherwise, ...field }: RiskReasonFieldProps) {
  const isHigh = risk?.level === 'high'
  if (!isHigh && otherwise === undefined && field.error === undefined) return null
  return (
    <TextArea
      label={isHigh || otherwise === undefined ? 'Why you go on despite the high risk' : otherwise}
      rows={2}
      maxLength={500}
      hint={`Name what you checked, in at least ${SHORTEST_EXPLANATION} characters. Only operators read it.`}
      {...field}
    />
  )
}
