import { approveProposal, type Proposal, rejectProposal } from '../../../contract/console/proposals.ts'
import { Case, CaseFrame } from '../cases/Case.tsx'
import { CaseMissing } from '../cases/CaseMissing.tsx'
import { ConfirmOnly } from '../cases/ConfirmOnly.tsx'
import { Decide } from '../cases/Decide.tsx'
import { Outcome, type OutcomeWords } from '../cases/Outcome.tsx'
import type { QueueCaseProps } from '../cases/QueueScreen.tsx'
import { ReasonForm } from '../cases/ReasonForm.tsx'
import { useDecision } from '../cases/useDecision.ts'
import { useOperator } from '../cases/useOperator.ts'
import { closedTo } from './closedTo.ts'
import { ProposalFacts } from './ProposalFacts.tsx'
import { KIND_LABELS, subjectOf } from './words.ts'

/** One proposal: what it would do, who proposed it, and the decision, which is another operator's. */
export function ProposalCase({ listed, isListLoading, onDecided, ...props }: QueueCaseProps<Proposal>) {
  const decision = useDecision({
    current: listed,
    outcomeOf,
    deciderOf: ({ decidedBy }) => decidedBy?.name ?? null,
    onDecided,
    refresh: async () => {
      props.onOvertaken()
      return null
    },
  })
  const { me } = useOperator()
  const { row, outcome } = decision
  if (row === undefined) return <CaseMissing what="proposal" isListLoading={isListLoading} />
  const closed = closedTo(me, row)
  return (
    <CaseFrame>
      {outcome !== null && <Outcome outcome={outcome} onClose={props.onClose} onNext={props.onNext} />}
      <Case facts={<ProposalFacts proposal={row} />} />
      {outcome === null && row.status === 'pending' && (
        <Decide
          choices={[
            {
              label: 'Approve it',
              intent: 'approve',
              scope: 'operator:proposals.decide',
              closed: closed.approve,
              variant: 'primary',
              panel: (onCancel) => (
                <ConfirmOnly
                  {...decision.props}
                  row={row}
                  onCancel={onCancel}
                  endpoint={approveProposal}
                  confirmLabel="Approve the proposal"
                  what={`${KIND_LABELS[row.kind]}: ${subjectOf(row)}`}
                >
                  <p>
                    <strong>{KIND_LABELS[row.kind]}</strong>: {subjectOf(row)}.{' '}
                    {row.kind === 'factor_recovery' ? '' : 'It takes effect at once.'}
                  </p>
                  {row.kind === 'factor_recovery' && (
                    <p>
                      Check who it is yourself, on the <a href="/operator/kyc">KYC page</a>: do not rely on{' '}
                      {row.proposedBy.name}. The factor is removed 72 hours after you approve it, and the
                      investor can stop it until then.
                    </p>
                  )}
                  {row.kind === 'reviewer_key' && (
                    <p>
                      From then on each new document is encrypted to this key, too, and its owner can read it.
                      Ask {row.proposedBy.name} for the fingerprint in person or by telephone, and approve it
                      only if it is the same one.
                    </p>
                  )}
                  <p className="soft small">
                    Another operator than {row.proposedBy.name}, who proposed it, has to approve it.
                  </p>
                </ConfirmOnly>
              ),
            },
            {
              label: 'Reject it',
              intent: 'reject',
              scope: 'operator:proposals.decide',
              closed: closed.reject,
              panel: (onCancel) => (
                <ReasonForm
                  {...decision.props}
                  row={row}
                  settings={props.settings}
                  onCancel={onCancel}
                  kind="proposalRejection"
                  endpoint={rejectProposal}
                  hint="Operators read it."
                  consequence={`${KIND_LABELS[row.kind]}: ${subjectOf(row)}. Nothing changes. Who proposed it may take it back so, too.`}
                  confirmLabel="Reject the proposal"
                />
              ),
            },
          ]}
        />
      )}
    </CaseFrame>
  )
}

function outcomeOf(row: Proposal): OutcomeWords {
  return row.status === 'approved'
    ? {
        tone: 'success',
        title: 'Approved',
        text: `${KIND_LABELS[row.kind]}: ${subjectOf(row)}. ${row.kind === 'factor_recovery' ? 'The 72 hours have begun.' : 'It is done.'}`,
      }
    : { tone: 'success', title: 'Rejected', text: 'Nothing was changed.' }
}
