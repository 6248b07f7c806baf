import type { OperatorWallet } from '../../../contract/console/wallets.ts'
import { challengeWallet, proveWallet } from '../../../contract/console/wallets.ts'
import { Copied } from '../../../design/CopyButton.tsx'
import { DateTime } from '../../../design/DateTime.tsx'
import { Form } from '../../../design/Form.tsx'
import { useEndpointForm } from '../../lib/endpointForm.ts'
import { SignatureField } from '../../money/destinations/SignatureField.tsx'
import { describeSigning } from '../../money/destinations/words.ts'
import { CancelButton, createOvertakenHandler } from '../cases/ConfirmedForm.tsx'
import type { QueueDecisionProps } from '../cases/queueKind.ts'

/** First issues a message to sign, valid for a week, then accepts its signature by the wallet's key. */
export function ProveControl(props: QueueDecisionProps<OperatorWallet>) {
  const { challenge } = props.row
  return challenge === null ? (
    <RequestMessage {...props} />
  ) : (
    <SubmitSignature {...props} challenge={challenge} />
  )
}

function RequestMessage({ row, onChanged, onOvertaken, onCancel }: QueueDecisionProps<OperatorWallet>) {
  const { shell } = useEndpointForm({
    endpoint: challengeWallet,
    params: { id: row._id },
    bodyOf: () => ({}),
    failures: 'form',
    onDone: (challenge) => onChanged({ ...row, challenge }),
    onFailure: createOvertakenHandler(onOvertaken),
  })
  return (
    <Form
      {...shell}
      submitLabel="Get the message to sign"
      actions={<CancelButton hidden={shell.pending} onClick={onCancel} />}
    >
      <p>
        We create a message with this platform’s name, the address and the date. The holder of the key signs
        it within a week. We check the signature and store it. This works for addresses with one key, not for
        multi-signature or contract addresses.
      </p>
    </Form>
  )
}

function SubmitSignature(
  props: QueueDecisionProps<OperatorWallet> & { challenge: NonNullable<OperatorWallet['challenge']> },
) {
  const { row: wallet, challenge, onDecided, onOvertaken, onCancel } = props
  const { shell, field } = useEndpointForm({
    endpoint: proveWallet,
    params: { id: wallet._id },
    defaultValues: { message: challenge.message },
    failures: 'form',
    onDone: onDecided,
    onFailure: createOvertakenHandler(onOvertaken),
  })
  return (
    <Form
      {...shell}
      submitLabel="Check and save"
      actions={<CancelButton hidden={shell.pending} onClick={onCancel} />}
    >
      <div className="stack">
        <p>
          {describeSigning(wallet.network, wallet.address)} Sign exactly this line, before{' '}
          <DateTime at={challenge.expiresAt} />:
        </p>
        <Copied text={challenge.message} what="message to sign" />
      </div>
      <SignatureField {...field('signature')} />
    </Form>
  )
}
