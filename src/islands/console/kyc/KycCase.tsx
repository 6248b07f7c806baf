import { useState } from 'react'
import { approveKyc, type OperatorKyc, rejectKyc } from '../../../contract/console/kyc.ts'
import { DateTime } from '../../../design/DateTime.tsx'
import { Facts } from '../../../design/Facts.tsx'
import { Notice } from '../../../design/Notice.tsx'
import { Status } from '../../../design/Status.tsx'
import { Case, CaseFrame } from '../cases/Case.tsx'
import { CaseMissing } from '../cases/CaseMissing.tsx'
import { ConfirmOnly } from '../cases/ConfirmOnly.tsx'
import { Decide } from '../cases/Decide.tsx'
import { Known } from '../cases/Known.tsx'
import { Outcome, type OutcomeWords } from '../cases/Outcome.tsx'
import type { QueueCaseProps } from '../cases/QueueScreen.tsx'
import { ReasonForm } from '../cases/ReasonForm.tsx'
import { useDecision } from '../cases/useDecision.ts'
import { Document } from './Document.tsx'

/** One identity document: whose it is, the document once it is opened, and what to decide about it. */
export function KycCase({
  listed,
  isListLoading,
  settings,
  onDecided,
  ...props
}: QueueCaseProps<OperatorKyc>) {
  const decision = useDecision({
    current: listed,
    outcomeOf,
    deciderOf: ({ decidedBy }) => decidedBy,
    onDecided,
    refresh: async () => {
      props.onOvertaken()
      return null
    },
  })
  const [isOpen, setOpen] = useState(false)
  const { row, outcome } = decision
  if (row === undefined) return <CaseMissing what="document" isListLoading={isListLoading} />
  return (
    <CaseFrame>
      {outcome !== null && <Outcome outcome={outcome} onClose={props.onClose} onNext={props.onNext} />}
      <Case
        facts={<KycFacts row={row} />}
        picture={<Document row={row} isOpen={isOpen} onOpen={() => setOpen(true)} />}
      />
      <Known id={row.investor._id} />
      {outcome === null && row.status === 'pending' && (
        <Decide
          choices={[
            {
              label: 'Approve it',
              intent: 'approve',
              scope: 'operator:kyc.decide',
              variant: isOpen ? 'primary' : 'secondary',
              panel: (onCancel) => (
                <ConfirmOnly
                  {...decision.props}
                  row={row}
                  onCancel={onCancel}
                  endpoint={approveKyc}
                  confirmLabel="Approve the document"
                >
                  <p>
                    The {row.document.toLowerCase()} of <strong>{row.investor.name}</strong> (
                    {row.investor.email}) is approved. From then on they can deposit and withdraw.
                  </p>
                  {!isOpen && <Notice tone="caution">You have not opened the document.</Notice>}
                </ConfirmOnly>
              ),
            },
            {
              label: 'Reject it',
              intent: 'reject',
              scope: 'operator:kyc.decide',
              panel: (onCancel) => (
                <ReasonForm
                  {...decision.props}
                  row={row}
                  settings={settings}
                  onCancel={onCancel}
                  kind="identityRejection"
                  endpoint={rejectKyc}
                  hint="The investor reads it and can send another picture: say what has to be different, such as a corner that is cut off or text that cannot be read."
                  consequence={`The ${row.document.toLowerCase()} of ${row.investor.name} is rejected. They can send another picture.`}
                  confirmLabel="Reject the document"
                />
              ),
            },
          ]}
        />
      )}
    </CaseFrame>
  )
}

function KycFacts({ row }: { row: OperatorKyc }) {
  return (
    <Facts
      facts={[
        { label: 'Status', value: <Status status={row.status} /> },
        { label: 'Investor', value: row.investor.name },
        { label: 'E-mail', value: row.investor.email },
        { label: 'Document', value: row.document },
        { label: 'Sent', value: <DateTime at={row.createdAt} /> },
        {
          label: 'Encrypted',
          value: row.sealedBy === 'browser' ? 'In the investor’s browser' : 'By our server',
        },
        row.outdated && { label: 'Sealed to', value: 'Other keys than today’s' },
        row.reason !== null && { label: 'Reason', value: row.reason },
        row.decidedBy !== null && { label: 'Decided by', value: row.decidedBy },
      ]}
    />
  )
}

/** What a decision about an identity document led to. */
function outcomeOf({ status, investor }: OperatorKyc): OutcomeWords {
  return status === 'approved'
    ? {
        tone: 'success',
        title: 'Approved',
        text: `${investor.name} can deposit and withdraw from now on, and has been told so.`,
      }
    : {
        tone: 'success',
        title: 'Rejected',
        text: `${investor.name} has been told why, and can send another picture.`,
      }
}
