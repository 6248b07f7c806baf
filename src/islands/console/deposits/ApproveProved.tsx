import * as z from 'zod/mini'
import type { approveDeposit, OperatorDeposit } from '../../../contract/console/deposits.ts'
import { riskReasonField } from '../../../contract/console/risk.ts'
import { optionalText } from '../../../contract/fields.ts'
import { isolate } from '../../../contract/isolate.ts'
import { formatPaymentQuantity } from '../../../contract/money/payments.ts'
import { formatUsd } from '../../../contract/money.ts'
import { Notice } from '../../../design/Notice.tsx'
import { ConfirmedForm, useConfirmedForm } from '../cases/ConfirmedForm.tsx'
import { withFactor } from '../cases/factor.tsx'
import type { QueueDecisionProps } from '../cases/queueKind.ts'
import { RISK_REASON_REFUSED, RiskReasonField } from '../cases/RiskReasonField.tsx'
import { CreditNotes } from './CreditNotes.tsx'

const form = z.object({
  note: optionalText(500),
  internalNote: optionalText(500),
  riskReason: riskReasonField,
})

interface ApproveProvedProps extends QueueDecisionProps<OperatorDeposit> {
  /** Passed, because this form is loaded apart: importing it would split the contract into one more file. */
  endpoint: typeof approveDeposit
  /** The payment's value, in USD. */
  amount: number
}

/** Confirms the credit of a proved payment: amount, transaction id and quantity are the payment's. */
export function ApproveProved({
  row: deposit,
  endpoint,
  amount,
  onDecided,
  onOvertaken,
  onCancel,
}: ApproveProvedProps) {
  const { investor, ref, firstApproval, payment } = deposit
  const sum = formatUsd(amount)
  const confirmed = useConfirmedForm({
    endpoint,
    params: { id: deposit._id },
    schema: form,
    send: withFactor(endpoint, `${sum} to ${isolate(investor.name)}, for ${ref}`),
    onDone: onDecided,
    onOvertaken,
    beside: RISK_REASON_REFUSED,
    atOnce: ['note', 'internalNote'],
  })
  return (
    <ConfirmedForm
      form={confirmed}
      confirmLabel={firstApproval === undefined ? `Propose credit of ${sum}` : `Approve and credit ${sum}`}
      summary={() => (
        <>
          <p>
            <strong>
              {sum} to <bdi>{investor.name}</bdi>
            </strong>{' '}
            (<span translate="no">{investor.email}</span>), for <span translate="no">{ref}</span>.
          </p>
          {payment && (
            <p className="small">
              {formatPaymentQuantity(payment.network, payment.quantity)} arrived. The chain proves it, so
              there is nothing to type.
            </p>
          )}
          {firstApproval === undefined && (
            <Notice tone="caution" title="A second operator is needed">
              Its amount is above what is credited without an operator. Another operator must confirm it too.
            </Notice>
          )}
        </>
      )}
      onCancel={onCancel}
    >
      <RiskReasonField risk={deposit.risk} {...confirmed.field('riskReason')} />
      <CreditNotes field={confirmed.field} />
    </ConfirmedForm>
  )
}
