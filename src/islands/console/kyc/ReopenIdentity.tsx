import { useState } from 'react'
import type { OperatorKyc } from '../../../contract/console/kyc.ts'
import { propose } from '../../../contract/console/proposalBodies.ts'
import type { Proposal } from '../../../contract/console/proposals.ts'
import { isolate } from '../../../contract/isolate.ts'
import { Notice } from '../../../design/Notice.tsx'
import type { QueueDecisionProps } from '../cases/queueKind.ts'
import { ReasonForm } from '../cases/ReasonForm.tsx'

/** Proposes to accept another document after a final rejection. The case stays as it is until another administrator agrees. */
export function ReopenIdentity({ row, onOvertaken, onCancel }: QueueDecisionProps<OperatorKyc>) {
  const [proposal, setProposal] = useState<Proposal | null>(null)
  if (proposal !== null)
    return (
      <Notice tone="success" live title="Proposed">
        Another administrator has to approve{' '}
        <a href={`/operator/proposals?open=${encodeURIComponent(proposal._id)}`}>the proposal</a>.
      </Notice>
    )
  return (
    <ReasonForm
      row={row}
      endpoint={propose}
      body={{ kind: 'identity_reopening', investor: row.investor._id }}
      what="Accepting another document"
      variant="primary"
      consequence={`Once another administrator approves it, ${isolate(row.investor.name)} gets a mail and can send a document again.`}
      confirmLabel="Propose to accept another document"
      onDecided={setProposal}
      onOvertaken={onOvertaken}
      onCancel={onCancel}
    />
  )
}
