import { challengeWallet, type OperatorWallet, proveWallet } from '../../../contract/console/wallets.ts'
import { Button } from '../../../design/Button.tsx'
import { Copied } from '../../../design/Copied.tsx'
import { DateTime } from '../../../design/DateTime.tsx'
import { Form } from '../../../design/Form.tsx'
import { TextArea } from '../../../design/TextArea.tsx'
import { useEndpointForm } from '../../lib/endpointForm.ts'
import { isOvertaken } from '../cases/decision.ts'
import { signingWords } from './words.ts'

type Challenge = NonNullable<OperatorWallet['challenge']>

interface ProveControlProps {
  wallet: OperatorWallet
  onIssued: (challenge: Challenge) => void
  onProved: (wallet: OperatorWallet) => void
  onOvertaken: (msg: string) => void
  onCancel: () => void
}

/** First a message to sign, which stays for a week; then its signature, from whoever keeps the key. */
export function ProveControl(props: ProveControlProps) {
  const { challenge } = props.wallet
  return challenge === null ? (
    <AskForMessage {...props} />
  ) : (
    <GiveSignature {...props} challenge={challenge} />
  )
}

function AskForMessage({ wallet, onIssued, onOvertaken, onCancel }: ProveControlProps) {
  const { shell } = useEndpointForm({
    endpoint: challengeWallet,
    params: { id: wallet._id },
    bodyOf: () => ({}),
    failures: 'form',
    onDone: onIssued,
    onFailure: (failure) => {
      if (isOvertaken(failure)) onOvertaken(failure.msg)
    },
  })
  return (
    <Form
      {...shell}
      submitLabel="Get the message to sign"
      actions={<Cancel onCancel={onCancel} isPending={shell.pending} />}
    >
      <p>
        We issue a message that names this platform, the address and the day. Whoever keeps the key signs it
        with the key, within a week, and the signature is checked and kept here. One key signs: an address of
        several keys or of a contract cannot be shown so.
      </p>
    </Form>
  )
}

function GiveSignature(props: ProveControlProps & { challenge: Challenge }) {
  const { wallet, challenge, onProved, onOvertaken, onCancel } = props
  const { shell, field } = useEndpointForm({
    endpoint: proveWallet,
    params: { id: wallet._id },
    defaultValues: { message: challenge.message },
    failures: 'form',
    onDone: onProved,
    onFailure: (failure) => {
      if (isOvertaken(failure)) onOvertaken(failure.msg)
    },
  })
  return (
    <Form
      {...shell}
      submitLabel="Check and keep it"
      actions={<Cancel onCancel={onCancel} isPending={shell.pending} />}
    >
      <div className="stack">
        <p>
          {signingWords(wallet.network, wallet.address)} Sign exactly this line, before{' '}
          <DateTime at={challenge.expiresAt} />:
        </p>
        <Copied text={challenge.message} what="message to sign" />
      </div>
      <TextArea
        label="Signature"
        hint="As the wallet shows it, in one piece."
        rows={3}
        maxLength={1000}
        autoComplete="off"
        spellCheck={false}
        {...field('signature')}
      />
    </Form>
  )
}

function Cancel({ onCancel, isPending }: { onCancel: () => void; isPending: boolean }) {
  return isPending ? null : (
    <Button variant="quiet" onClick={onCancel}>
      Cancel
    </Button>
  )
}
