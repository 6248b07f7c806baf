import { useState } from 'react'
import { type ReviewerKey, retireReviewerKey } from '../../../contract/console/reviewerKeys.ts'
import { ButtonLink } from '../../../design/ButtonLink.tsx'
import { Copied } from '../../../design/Copied.tsx'
import { DateTime } from '../../../design/DateTime.tsx'
import { Notice } from '../../../design/Notice.tsx'
import { Status, type StatusProps } from '../../../design/Status.tsx'
import { CaseDetails, CaseFrame } from '../cases/Case.tsx'
import { ConfirmOnly } from '../cases/ConfirmOnly.tsx'
import { Decide } from '../cases/Decide.tsx'
import { nothingDone, Outcome, type OutcomeWords } from '../cases/Outcome.tsx'
import { useOperator } from '../cases/useOperator.ts'

export interface KeyCaseProps {
  reviewerKey: ReviewerKey
  onChanged: () => void
  onClose: () => void
}

/** One key: its owner, its fingerprint to compare, and retiring it. */
export function KeyCase({ reviewerKey, onChanged, onClose }: KeyCaseProps) {
  const [key, setKey] = useState(reviewerKey)
  const [outcome, setOutcome] = useState<OutcomeWords | null>(null)
  const isAdministrator = useOperator().me?.roles.includes('administrator') ?? false
  const end = (words: OutcomeWords) => {
    setOutcome(words)
    onChanged()
  }
  return (
    <CaseFrame>
      {outcome !== null && <Outcome outcome={outcome} onClose={onClose} />}
      <CaseDetails
        facts={[
          { label: 'Status', value: <Status {...KEY_STATUS[key.status]} /> },
          { label: 'Fingerprint', value: <code>{key.fingerprint}</code> },
          { label: 'Public key', value: <Copied text={key.recipient} what="public key" /> },
          { label: 'Unlocked by', value: key.method === 'passkey' ? 'A passkey' : 'A passphrase' },
          { label: 'Made', value: <DateTime at={key.createdAt} /> },
        ]}
      />
      {outcome === null && key.status === 'awaiting' && (
        <Notice
          title="It counts once another operator has approved it"
          actions={
            <ButtonLink href="/operator/proposals" size="small">
              Proposals
            </ButtonLink>
          }
        >
          Whoever approves it compares the fingerprint with {key.owner.name} in person or by telephone.
        </Notice>
      )}
      {outcome === null && key.status === 'active' && (
        <Decide
          choices={[
            {
              label: 'Retire it',
              scope: 'operator:kyc.keys',
              closed: key.own || isAdministrator ? undefined : ONLY_ADMINISTRATORS,
              panel: (onCancel) => (
                <ConfirmOnly
                  row={key}
                  endpoint={retireReviewerKey}
                  confirmLabel="Retire the key"
                  onCancel={onCancel}
                  onOvertaken={(text) => end(nothingDone(text))}
                  onDecided={(retired) => {
                    setKey(retired)
                    end({
                      tone: 'success',
                      title: 'Retired',
                      text: 'New documents are no longer encrypted to it. Those that are open with it until a reviewer seals them anew.',
                    })
                  }}
                >
                  <p>
                    New documents are no longer encrypted to the key of <strong>{key.owner.name}</strong>.
                    Seal the older ones anew afterwards, on this page: until then this key still opens them. A
                    copy that was made before it opens for ever.
                  </p>
                </ConfirmOnly>
              ),
            },
          ]}
        />
      )}
    </CaseFrame>
  )
}

const ONLY_ADMINISTRATORS = 'Only an administrator retires somebody else’s key.'

export const KEY_STATUS: Record<ReviewerKey['status'], StatusProps> = {
  awaiting: { status: 'pending', label: 'Waiting for approval' },
  active: { status: 'active', label: 'In use' },
  retired: { status: 'retired', label: 'Retired' },
}
