import { useEffect, useRef } from 'react'
import {
  approveWithdrawal,
  completeWithdrawal,
  completeWithdrawalForm,
  type OperatorWithdrawal,
  rejectWithdrawal,
} from '../../../contract/console/withdrawals.ts'
import { canonicalReference } from '../../../contract/money/references.ts'
import { formatUsd } from '../../../contract/money.ts'
import { Button } from '../../../design/Button.tsx'
import { DateTime } from '../../../design/DateTime.tsx'
import { Notice } from '../../../design/Notice.tsx'
import { TextField } from '../../../design/TextField.tsx'
import { ConfirmedForm, useConfirmedForm } from '../cases/ConfirmedForm.tsx'
import { ConfirmOnly, type DecisionProps } from '../cases/ConfirmOnly.tsx'
import { withFactor } from '../cases/factor.ts'
import type { QueueDecision } from '../cases/queueKind.ts'
import { rejectIt } from '../cases/ReasonForm.tsx'
import { useOperator } from '../cases/useOperator.ts'
import { DestinationLine } from './Destination.tsx'
import { HOLD_REASON, isOnHold, secondOperatorWords } from './words.ts'

/** What can be decided about a withdrawal as it is now: nothing once it is paid, rejected or cancelled. */
export function decisionsOf(row: OperatorWithdrawal): readonly QueueDecision<OperatorWithdrawal>[] {
  const scope = 'operator:withdrawals.decide'
  const reject = rejectIt<OperatorWithdrawal>(scope, {
    kind: 'withdrawalRejection',
    endpoint: rejectWithdrawal,
    hint: 'The investor reads it: say what was wrong, and what to do next.',
    consequence: `${row.ref} is rejected. ${formatUsd(row.amount)} that were held are available to ${row.investor.name} again.`,
    confirmLabel: 'Reject the withdrawal',
  })
  const approval = { intent: 'approve', scope, variant: 'primary' } as const
  switch (row.status) {
    case 'pending':
      return [
        { ...approval, label: 'Approve it', panel: (props) => <ApproveWithdrawal {...props} /> },
        reject,
      ]
    case 'approved':
      return [
        {
          ...approval,
          label: 'Record the payment',
          panel: (props) =>
            row.heldUntil !== null && isOnHold(row, Date.now()) ? (
              <OnHold until={row.heldUntil} onCancel={props.onCancel} />
            ) : (
              <CompleteWithdrawal {...props} />
            ),
        },
        reject,
      ]
    default:
      return []
  }
}

/** Approves a pending withdrawal: from then on it is to be paid. */
function ApproveWithdrawal(props: DecisionProps<OperatorWithdrawal>) {
  const { alone, amount, heldUntil, investor, ref } = props.row
  return (
    <ConfirmOnly
      {...props}
      endpoint={approveWithdrawal}
      confirmLabel={`Approve ${formatUsd(amount)}`}
      what={`${formatUsd(amount)} to be paid to ${investor.name}, for ${ref}`}
    >
      <p>
        <strong>
          {formatUsd(amount)} to be paid to {investor.name}
        </strong>{' '}
        ({investor.email}), for {ref}.
      </p>
      <DestinationLine withdrawal={props.row} />
      {alone?.needsTwo === true && (
        <p>If you approve it, another operator has to record the payment. {secondOperatorWords(alone)}</p>
      )}
      {heldUntil !== null && isOnHold(props.row, Date.now()) && (
        <p>
          It can be approved now, and paid from <DateTime at={heldUntil} /> on.
        </p>
      )}
    </ConfirmOnly>
  )
}

/** Records that an approved withdrawal was paid, under its transaction id or the bank's reference. */
function CompleteWithdrawal(props: DecisionProps<OperatorWithdrawal>) {
  const { row, onDecided, onOvertaken, onCancel } = props
  const { me } = useOperator()
  const isOwn = row.approvedById === me?._id
  const form = useConfirmedForm({
    endpoint: completeWithdrawal,
    schema: completeWithdrawalForm(row.network),
    params: { id: row._id },
    send: withFactor(
      completeWithdrawal,
      `${formatUsd(row.amount)} paid to ${row.investor.name}, for ${row.ref}`,
    ),
    onDone: onDecided,
    onOvertaken,
  })
  return (
    <ConfirmedForm
      form={form}
      confirmLabel={`Record ${formatUsd(row.amount)} as paid`}
      summary={({ reference }) => (
        <>
          <p>
            <strong>
              {formatUsd(row.amount)} was paid to {row.investor.name}
            </strong>{' '}
            ({row.investor.email}), for {row.ref}.
          </p>
          <DestinationLine withdrawal={row} />
          <p>
            <span className="soft">{row.bank ? 'The bank’s reference: ' : 'Transaction id: '}</span>
            <code>{canonicalReference(row.network, reference)}</code>
          </p>
        </>
      )}
      onCancel={onCancel}
    >
      {row.alone?.needsTwo === true && row.approvedBy !== null && (
        <Notice tone="caution">
          {isOwn
            ? `You approved it, so another operator has to record the payment. ${secondOperatorWords(row.alone)}`
            : `This takes two operators: ${row.approvedBy} approved it, and you record the payment.`}
        </Notice>
      )}
      <TextField
        label={row.bank ? 'The bank’s reference' : 'Transaction id on the network'}
        autoComplete="off"
        spellCheck={false}
        maxLength={200}
        hint="Pay first. It is recorded once, and cannot be used for another payment."
        {...form.field('reference')}
      />
    </ConfirmedForm>
  )
}

/** In place of the form that records a payment, while the payment is delayed. */
function OnHold({ until, onCancel }: { until: string; onCancel: () => void }) {
  const notice = useRef<HTMLDivElement>(null)
  useEffect(() => notice.current?.focus(), [])
  return (
    <div ref={notice} tabIndex={-1}>
      <Notice
        tone="caution"
        title="Do not pay it yet"
        actions={
          <Button size="small" onClick={onCancel}>
            Back
          </Button>
        }
      >
        It is on hold until <DateTime at={until} />. {HOLD_REASON}: its owner has that long to stop it. A
        payment cannot be recorded before.
      </Notice>
    </div>
  )
}
