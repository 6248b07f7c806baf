import { listKycQueue, type OperatorKyc, rejectKyc } from '../../../contract/console/kyc.ts'
import { DateTime } from '../../../design/DateTime.tsx'
import { Status } from '../../../design/Status.tsx'
import { CaseDetails } from '../cases/Case.tsx'
import {
  ageColumn,
  investorColumn,
  investorFacts,
  refColumn,
  statusColumn,
  whenColumn,
} from '../cases/columns.tsx'
import { QueueScreen } from '../cases/QueueScreen.tsx'
import type { CaseContext, QueueDecision, QueueKind } from '../cases/queueKind.ts'
import { rejectIt } from '../cases/ReasonForm.tsx'
import { FactorRecoveries } from '../factorRecoveries/FactorRecoveries.tsx'
import { KeyNoticeAboveQueue } from '../reviewerKeys/KeyNotice.tsx'
import { ApproveIdentity } from './ApproveIdentity.tsx'
import { Document } from './Document.tsx'

export function KycQueue() {
  return <QueueScreen kind={kyc} />
}

/** /operator/kyc: identity documents, and the decisions about them. */
const kyc: QueueKind<OperatorKyc> = {
  endpoint: listKycQueue,
  plural: 'documents',
  singular: 'document',
  searchedBy: 'Name, e-mail or reference',
  filters: [
    { value: 'pending', label: 'Pending', counted: 'kyc' },
    { value: 'approved', label: 'Approved' },
    { value: 'rejected', label: 'Rejected' },
    { value: '', label: 'All' },
  ],
  columns: [
    refColumn,
    investorColumn,
    { key: 'document', header: 'Document', narrow: 'start', cell: ({ document }) => document },
    ageColumn(({ status }) => status === 'pending'),
    whenColumn,
    statusColumn(({ status }) => <Status status={status} />),
  ],
  isPending: ({ status }) => status === 'pending',
  above: ({ settings }) => (
    <>
      <KeyNoticeAboveQueue />
      <FactorRecoveries settings={settings} />
    </>
  ),
  titleOf: (row) => (row ? `Identity document ${row.ref}` : 'Identity document'),
  evidence: (row, { isDocumentOpen, openDocument, isContinued }) => (
    <Document row={row} isOpen={isDocumentOpen} onOpen={openDocument} isContinued={isContinued} />
  ),
  details: (row) => (
    <CaseDetails
      facts={[
        { label: 'Status', value: <Status status={row.status} /> },
        ...investorFacts(row.investor),
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
  ),
  investorOf: ({ investor }) => investor._id,
  decisions: decisionsOf,
  outcomeOf: ({ status, investor }) =>
    status === 'approved'
      ? {
          tone: 'success',
          title: 'Approved',
          text: `${investor.name} can deposit and withdraw from now on, and has been told so.`,
        }
      : {
          tone: 'success',
          title: 'Rejected',
          text: `${investor.name} has been told why, and can send another picture.`,
        },
  decidedBy: ({ decidedBy }) => decidedBy,
}

function decisionsOf(
  row: OperatorKyc,
  { isDocumentOpen }: CaseContext,
): readonly QueueDecision<OperatorKyc>[] {
  const { status, investor } = row
  if (status !== 'pending') return []
  const scope = 'operator:kyc.decide'
  const document = row.document.toLowerCase()
  return [
    {
      label: 'Approve identity',
      intent: 'approve',
      scope,
      isOpen: true,
      panel: (props) => <ApproveIdentity {...props} isDocumentOpen={isDocumentOpen} />,
    },
    rejectIt(scope, 'Reject document', {
      kind: 'identityRejection',
      endpoint: rejectKyc,
      hint: 'The investor reads it and can send another picture: say what has to be different, such as a corner that is cut off or text that cannot be read.',
      consequence: `The ${document} of ${investor.name} is rejected. They can send another picture.`,
      confirmLabel: 'Reject the document',
    }),
  ]
}
