import {
  completeWithdrawal,
  completeWithdrawalForm,
  type OperatorWithdrawal,
} from '../../../contract/console/withdrawals.ts'
import { canonicalReference } from '../../../contract/money/references.ts'
import { formatUsd } from '../../../contract/money.ts'
import { Notice } from '../../../design/Notice.tsx'
import { TextField } from '../../../design/TextField.tsx'
import { ConfirmedForm } from '../cases/ConfirmedForm.tsx'
import { type DecisionProps, isOvertaken } from '../cases/decision.ts'
import { withFactor } from '../cases/factor.ts'
import { useConfirmedForm } from '../cases/useConfirmedForm.ts'
import { useOperator } from '../cases/useOperator.ts'
import { secondOperatorWords } from './aloneWords.ts'
import { DestinationLine } from './Destination.tsx'

/** Records that an approved withdrawal was paid, under its transaction id or the bank's reference. */
export function CompleteWithdrawal(props: DecisionProps<OperatorWithdrawal>) {
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
    explained: ['reference_used'],
    onFailure: (failure) => {
      if (isOvertaken(failure)) onOvertaken(failure.msg)
      if (failure.code === 'reference_used') form.form.setError('reference', { message: failure.msg })
    },
  })
  return (
    <ConfirmedForm
      form={form}
      reviewLabel="Review"
      confirmLabel={() => `Record ${formatUsd(row.amount)} as paid`}
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
