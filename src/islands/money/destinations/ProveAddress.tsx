import { isolate } from '../../../contract/isolate.ts'
import { challengeAddress, proveAddress, type SavedAddress } from '../../../contract/money/destinations.ts'
import { Button } from '../../../design/Button.tsx'
import { Copied } from '../../../design/CopyButton.tsx'
import { DateTime } from '../../../design/DateTime.tsx'
import { Skeleton } from '../../../design/Skeleton.tsx'
import { ConfirmedForm } from '../../identity/profile/ConfirmedForm.tsx'
import { call } from '../../lib/api.ts'
import { Loaded } from '../../lib/Loaded.tsx'
import { useResource } from '../../lib/resource.ts'
import { getSession } from '../../lib/session.ts'
import { SignatureField } from './SignatureField.tsx'
import { describeSigning } from './words.ts'

interface ProveAddressProps {
  saved: SavedAddress
  onDone: () => void
  onCancel: () => void
}

/** Shows a message for the key of a saved address to sign, and takes its signature. */
export function ProveAddress({ saved, onDone, onCancel }: ProveAddressProps) {
  const { _id, label, network, address } = saved
  const challenge = useResource(`message of ${_id}`, () => call(challengeAddress, { params: { id: _id } }))
  return (
    <Loaded resource={challenge} waiting={<Skeleton height="block" />}>
      {({ message, expiresAt }) => (
        <ConfirmedForm
          endpoint={proveAddress}
          params={{ id: _id }}
          email={getSession()?.email ?? ''}
          label={`Prove that ${isolate(label)} is yours`}
          submitLabel="Check Signature"
          actions={
            <Button variant="quiet" onClick={onCancel}>
              Cancel
            </Button>
          }
          onDone={onDone}
        >
          {(field) => (
            <>
              <ol className="small">
                <li>Copy the message below. Change nothing in it.</li>
                <li>{describeSigning(network, address)}</li>
                <li>
                  Choose this address, paste the message, and sign it. Signing costs nothing and pays nobody.
                </li>
                <li>Copy the signature and paste it here.</li>
              </ol>
              <Copied text={message} what="message to sign" />
              <p className="small soft">
                Valid until <DateTime at={expiresAt} />. The wallet of an exchange cannot sign.
              </p>
              <SignatureField {...field('signature')} />
            </>
          )}
        </ConfirmedForm>
      )}
    </Loaded>
  )
}
