import { lazy, Suspense } from 'react'
import type { reasonBody } from '../../../contract/console/cases.ts'
import {
  type FactorRecovery,
  listFactorRecoveries,
  proposeFactorRecovery,
  rejectFactorRecovery,
} from '../../../contract/console/factorRecoveries.ts'
import { approveProposal } from '../../../contract/console/proposals.ts'
import { describeFactors, describeRecoveryStatus } from '../../../contract/console/recoveryWords.ts'
import { isolate } from '../../../contract/isolate.ts'
import { ButtonLink } from '../../../design/Button.tsx'
import { DateTime } from '../../../design/DateTime.tsx'
import { Facts } from '../../../design/Facts.tsx'
import { Notice } from '../../../design/Notice.tsx'
import { CaseLoading } from '../cases/Case.tsx'
import {
  buildAgeColumn,
  buildStatusColumn,
  investorColumn,
  listIdentityChecks,
  listInvestorFacts,
} from '../cases/columns.tsx'
import { QueueScreen } from '../cases/QueueScreen.tsx'
import type { CaseContext, QueueDecision, QueueKind } from '../cases/queueKind.ts'
import { ReasonForm, rejectIt } from '../cases/ReasonForm.tsx'
import { APPROVALS, APPROVE_LABELS } from '../proposals/words.ts'

// Needed once a case is open.
const DocumentOnFile = lazy(async () => ({
  default: (await import('../kyc/Documents.tsx')).DocumentOnFile,
}))

export function FactorRecoveryQueue() {
  return <QueueScreen kind={factorRecoveries} />
}

const isOpen = ({ endedAt }: FactorRecovery) => endedAt === null
const needsReviewer = ({ status }: FactorRecovery) => status === 'filed' || status === 'proposed'

/** /operator/lost-factors: investors' requests to remove a lost second factor. Two reviewers check the identity. */
const factorRecoveries: QueueKind<FactorRecovery> = {
  endpoint: listFactorRecoveries,
  plural: 'requests',
  singular: 'request',
  fileName: 'lost-second-factors',
  searchedBy: 'Name or e-mail',
  filters: [
    {
      value: 'open',
      label: 'Open',
      query: { status: 'undecided', waits: 'operator' },
      counted: ['factor_recovery'],
    },
    { value: 'hold', label: 'On hold', query: { status: 'undecided', waits: 'investor' }, waits: true },
    { value: 'approved', label: 'Approved' },
    { value: 'ended', label: 'Ended' },
    { value: '', label: 'All' },
  ],
  workOf: (recovery) => (needsReviewer(recovery) ? 'factor_recovery' : undefined),
  columns: [
    { ...investorColumn, narrow: 'line' },
    buildAgeColumn(needsReviewer),
    { ...buildStatusColumn(describeRecoveryStatus), narrow: 'line' },
  ],
  isPending: needsReviewer,
  titleOf: (recovery) =>
    recovery ? `Lost second factor, ${isolate(recovery.investor.name)}` : 'Lost second factor',
  nameOf: ({ investor }) => isolate(investor.name),
  evidence: (recovery, { isDocumentOpen, openDocument }) =>
    isOpen(recovery) && recovery.document !== null ? (
      <Suspense fallback={<CaseLoading what="document" />}>
        <DocumentOnFile id={recovery.document._id} isOpen={isDocumentOpen} onOpen={openDocument} />
      </Suspense>
    ) : undefined,
  details: (recovery) => (
    <>
      <Facts facts={listRecoveryFacts(recovery)} />
      {recovery.proposal !== null && (
        <div className="row">
          <ButtonLink href={`/operator/proposals?status=&open=${recovery.proposal._id}`}>
            See the proposal
          </ButtonLink>
        </div>
      )}
    </>
  ),
  auditedAs: ({ investor }) => investor._id,
  investorOf: ({ investor }) => investor._id,
  notice: (recovery) =>
    recovery.status === 'proposed' && recovery.proposal !== null ? (
      <Notice title="The removal has been proposed">
        <bdi>{recovery.proposal.proposedBy}</bdi> proposed it. Another reviewer checks the identity again
        here, without relying on them.
      </Notice>
    ) : (
      recovery.status === 'filed' && (
        <Notice title="Check the investor’s identity">
          The investor gave the password and a mailed code, but a thief may have both.{' '}
          <span>
            {recovery.document === null
              ? 'No identity document is approved to compare with. Call the number on file, and ask about deposits, withdrawals and sign-ins that only the investor knows.'
              : 'Open the identity document, call the number on file, and compare the person with the document, for example by video.'}
          </span>{' '}
          Two reviewers do this, each on their own.
        </Notice>
      )
    ),
  decisions: (recovery, context) => (isOpen(recovery) ? listRecoveryDecisions(recovery, context) : []),
  outcomeOf: ({ status, investor }) =>
    status === 'rejected'
      ? { tone: 'success', title: 'Rejected', text: `We sent ${isolate(investor.name)} a mail.` }
      : status === 'approved'
        ? { tone: 'success', title: 'Approved', text: APPROVALS.factor_recovery }
        : {
            tone: 'success',
            title: 'Proposed',
            text: 'Nothing changes until another reviewer has checked the identity and approved it.',
          },
}

function listRecoveryFacts(recovery: FactorRecovery) {
  const { investor, effectiveAt } = recovery
  return [
    { label: 'Status', value: describeRecoveryStatus(recovery) },
    ...listInvestorFacts(investor),
    ...listIdentityChecks(recovery),
    { label: 'Requested', value: <DateTime at={recovery.createdAt} /> },
    { label: 'Second factors', value: describeFactors(recovery.methods) },
    effectiveAt !== null && { label: 'Removed on', value: <DateTime at={effectiveAt} /> },
  ]
}

/** Whether this operator was the first reviewer. */
function isProposedBy({ steps }: FactorRecovery, me: CaseContext['me']): boolean {
  return me !== null && steps.findLast(({ step }) => step === 'proposed')?.by?._id === me._id
}

function listRecoveryDecisions(
  recovery: FactorRecovery,
  { me, isDocumentOpen }: CaseContext,
): QueueDecision<FactorRecovery>[] {
  const { status, investor, document } = recovery
  const scope = 'operator:kyc.decide'
  const propose: QueueDecision<FactorRecovery> = {
    label: 'Propose the removal',
    key: 'a',
    scope,
    closed: document === null || isDocumentOpen ? undefined : 'Open the document to propose the removal.',
    panel: ({ row, onDecided, ...props }) => (
      <ReasonForm
        {...props}
        row={row}
        endpoint={proposeFactorRecovery}
        label="How the identity was checked"
        hint="Only operators read it."
        consequence={`Once another reviewer approves it, ${isolate(investor.name)} gets a mail. 72 hours later all second factors and recovery codes are removed and all sessions end.`}
        confirmLabel="Propose the removal"
        risk={row.risk}
        what={`Removing the second factor of ${isolate(investor.name)}`}
        variant="primary"
        onDecided={({ _id, proposedBy, steps }) =>
          onDecided({
            ...row,
            status: 'proposed',
            proposal: { _id, proposedBy: proposedBy.name },
            steps: [...row.steps, ...steps],
          })
        }
      />
    ),
  }
  const reject = rejectIt<FactorRecovery, typeof reasonBody>(scope, 'Reject the request', {
    endpoint: rejectFactorRecovery,
    kind: 'recoveryRejection',
    label: 'Internal note',
    hint: 'Only operators read it. We mail the investor that it was rejected, without a reason.',
    consequence: `${isolate(investor.name)} keeps the second factor and can ask again.`,
    confirmLabel: 'Reject the request',
  })
  const proposal = status === 'proposed' ? recovery.proposal : null
  if (proposal === null) return status === 'filed' ? [propose, reject] : [reject]
  const approve: QueueDecision<FactorRecovery> = {
    label: APPROVE_LABELS.factor_recovery,
    key: 'a',
    scope,
    closed: isProposedBy(recovery, me)
      ? 'You proposed it. Another reviewer has to approve it.'
      : document === null || isDocumentOpen
        ? undefined
        : 'Open the document to approve the removal.',
    variant: 'primary',
    panel: ({ row, onDecided, ...props }) => (
      <ReasonForm
        {...props}
        row={proposal}
        endpoint={approveProposal}
        label="How you checked the identity yourself"
        hint="For example a call, a video or documents. Operators read it in the case."
        consequence={`The second factor of ${isolate(investor.name)} is removed 72 hours after your approval. Until then the investor can stop it. Do not rely on ${isolate(proposal.proposedBy)}: ${document === null ? 'no identity document is approved, so ask the investor about deposits, withdrawals and sign-ins' : 'compare the investor with the identity document'} yourself.`}
        confirmLabel={APPROVE_LABELS.factor_recovery}
        risk={row.risk}
        what={`Removing the second factor of ${isolate(investor.name)}`}
        variant="primary"
        atOnce
        onDecided={({ steps }) =>
          onDecided({ ...row, status: 'approved', steps: [...row.steps, ...steps.slice(1)] })
        }
      />
    ),
  }
  return [approve, reject]
}
