import * as z from 'zod/mini'
import { type OperatorPayout, replacePayout } from '../../../contract/console/payouts.ts'
import { Form } from '../../../design/Form.tsx'
import { useEndpointForm } from '../../lib/endpointForm.ts'
import { CancelButton, createOvertakenHandler, type DecisionProps } from '../cases/ConfirmedForm.tsx'
import { FeeChoice } from './FeeChoice.tsx'
import { formatNetworkFee } from './words.ts'

const schema = z.object({
  fee: z.string({ error: 'Please choose a fee' }).check(z.minLength(1, 'Please choose a fee')),
})

/** Builds a transaction that pays the same with a higher fee, for a payout that waits too long for its first block. */
export function ReplacePayout({
  row: payout,
  onDecided,
  onOvertaken,
  onCancel,
}: DecisionProps<OperatorPayout>) {
  const { shell, field } = useEndpointForm({
    endpoint: replacePayout,
    params: { id: payout._id },
    schema,
    bodyOf: ({ fee }) => ({ fee: Number(fee) }),
    failures: 'form',
    onDone: onDecided,
    onFailure: createOvertakenHandler(onOvertaken),
  })
  return (
    <Form
      {...shell}
      submitLabel="Build the replacement"
      actions={<CancelButton hidden={shell.pending} onClick={onCancel} />}
    >
      <p>
        The fee of the transaction that waits is {formatNetworkFee(payout)}. A replacement must pay more. Only
        one of the two can be confirmed.
      </p>
      <FeeChoice chain={payout.chain} chosen={payout.items} field={field('fee')} />
    </Form>
  )
}
