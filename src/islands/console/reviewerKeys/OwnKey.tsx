import type { ReviewerKey } from '../../../contract/console/reviewerKeys.ts'
import { Button } from '../../../design/Button.tsx'
import { ButtonLink } from '../../../design/ButtonLink.tsx'
import { Notice } from '../../../design/Notice.tsx'
import { Panel } from '../../../design/Panel.tsx'
import { NeedsRole } from '../cases/NeedsRole.tsx'
import { useOperator } from '../cases/useOperator.ts'

export interface OwnKeyProps {
  /** One's own keys, newest first. */
  keys: readonly ReviewerKey[]
  onMake: () => void
  onOpen: (key: ReviewerKey) => void
}

/** Whether one has a key that counts, and what to do for one. */
export function OwnKey({ keys, onMake, onOpen }: OwnKeyProps) {
  const { can } = useOperator()
  const awaiting = keys.find(({ status }) => status === 'awaiting')
  const active = keys.find(({ status }) => status === 'active')
  return (
    <Panel title="Your key">
      {awaiting && (
        <Notice
          title="Your new key waits for another operator"
          actions={
            <ButtonLink href="/operator/proposals" size="small">
              Proposals
            </ButtonLink>
          }
        >
          Tell a colleague its fingerprint in person or by telephone: <code>{awaiting.fingerprint}</code>.
          They compare it and approve the proposal. Until then nothing is encrypted to it.
        </Notice>
      )}
      {active ? (
        <>
          <p>
            Documents that investors send from now on open with your key <code>{active.fingerprint}</code> and
            your passphrase.
          </p>
          <div className="row">
            <Button onClick={() => onOpen(active)}>Show it</Button>
            {!awaiting && can('operator:kyc.decide') && <Button onClick={onMake}>Make a new key</Button>}
          </div>
        </>
      ) : (
        !awaiting &&
        (can('operator:kyc.decide') ? (
          <>
            <p>
              You have no key in use, so you cannot open documents that investors’ browsers encrypt. It takes
              a minute: you choose a passphrase, and a colleague approves the key.
            </p>
            <div className="row">
              <Button variant="primary" onClick={onMake}>
                Make your key
              </Button>
            </div>
          </>
        ) : (
          <NeedsRole scope="operator:kyc.decide" />
        ))
      )}
    </Panel>
  )
}
