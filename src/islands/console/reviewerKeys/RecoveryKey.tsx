import { RECOVERY_NAME, type Recipient } from '../../../contract/identity/kyc.ts'
import { Facts } from '../../../design/Facts.tsx'
import { LoadFailure } from '../../../design/LoadFailure.tsx'
import { Notice } from '../../../design/Notice.tsx'
import { Panel } from '../../../design/Panel.tsx'
import { Skeleton } from '../../../design/Skeleton.tsx'
import type { useResource } from '../../lib/resource.ts'

interface RecoveryKeyProps {
  recipients: ReturnType<typeof useResource<readonly Recipient[]>>
}

/** What every document is encrypted to as well, for the day when no reviewer's key is left. */
export function RecoveryKey({ recipients }: RecoveryKeyProps) {
  return (
    <Panel title="Recovery key">
      <p>
        Every document is encrypted to this key, too. Its private half is kept offline and opens documents
        when reviewers’ keys are lost. Compare its fingerprint with the paper it is kept with.
      </p>
      <Known recipients={recipients} />
    </Panel>
  )
}

function Known({ recipients }: RecoveryKeyProps) {
  switch (recipients.state) {
    case 'loading':
      return <Skeleton width="long" />
    case 'failed':
      return <LoadFailure msg={recipients.msg} onRetry={recipients.reload} />
    case 'ready': {
      const recovery = recipients.data.find(({ name }) => name === RECOVERY_NAME)
      return recovery ? (
        <Facts
          facts={[
            { label: 'Fingerprint', value: <code>{recovery.fingerprint}</code> },
            { label: 'Public key', value: <code>{recovery.recipient}</code> },
          ]}
        />
      ) : (
        <Notice tone="caution" title="Documents are not encrypted in browsers yet">
          That begins with the first reviewer’s key in use. Until then our server encrypts them as they
          arrive.
        </Notice>
      )
    }
  }
}
