import { formatUsd } from '../../contract/money.ts'
import type { Settings } from '../../contract/operator/settings.ts'
import { completeWithdrawal, type OperatorWithdrawal } from '../../contract/operator/withdrawals.ts'
import { Notice } from '../../design/Notice.tsx'
import { TextField } from '../../design/TextField.tsx'
import { ConfirmedForm } from '../operator/ConfirmedForm.tsx'
import { type DecisionProps, isOvertaken } from '../operator/decision.ts'
import { withFactor } from '../operator/factor.ts'
import { useConfirmedForm } from '../operator/useConfirmedForm.ts'
import { DestinationLine } from './Destination.tsx'

interface CompleteWithdrawalProps extends DecisionProps<OperatorWithdrawal> {
  settings: Settings | null
}

/** Records that an approved withdrawal was paid, under its transaction id or the bank's reference. */
export function CompleteWithdrawal(props: CompleteWithdrawalProps) {
  const { row, settings, onDecided, onOvertaken, onCancel } = props
  const form = useConfirmedForm({
    endpoint: completeWithdrawal,
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
            <code>{reference.trim()}</code>
          </p>
        </>
      )}
      onCancel={onCancel}
    >
      {settings !== null && row.amount > settings.twoPersonLimit && row.approvedBy !== null && (
        <Notice tone="caution">
          Above {formatUsd(settings.twoPersonLimit)} it takes two: another operator than {row.approvedBy}, who
          approved it, has to record the payment.
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
