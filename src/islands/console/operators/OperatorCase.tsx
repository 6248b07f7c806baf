import { useState } from 'react'
import {
  disableOperator,
  enableOperator,
  endOperatorSessions,
  type InvitationRow,
  type OperatorRow,
  resetFactor,
  withdrawInvitation,
} from '../../../contract/console/operators.ts'
import type { Proposal } from '../../../contract/console/proposals.ts'
import { isolate } from '../../../contract/isolate.ts'
import { ButtonLink } from '../../../design/Button.tsx'
import { DateTime } from '../../../design/DateTime.tsx'
import { Facts } from '../../../design/Facts.tsx'
import { Notice } from '../../../design/Notice.tsx'
import { Status } from '../../../design/Status.tsx'
import { getData } from '../../lib/resource.ts'
import {
  CaseFrame,
  CaseMissing,
  describeNothingDone,
  OutcomeNotice,
  type OutcomeWords,
} from '../cases/Case.tsx'
import { ConfirmOnly } from '../cases/ConfirmedForm.tsx'
import { type Choice, Decide } from '../cases/Decide.tsx'
import { NeedsRole } from '../cases/OperatorScreen.tsx'
import { ReasonForm } from '../cases/ReasonForm.tsx'
import { useOperator } from '../cases/useOperator.ts'
import { useSettings } from '../cases/useSettings.ts'
import { Proposed, RolesForm, TakesTwo } from './RolesForm.tsx'
import { describeAccess, formatRoles, INVITATION_STATUS } from './words.ts'

interface OperatorCaseProps {
  listed: OperatorRow | undefined
  isListLoading: boolean
  /** Whether another administrator can approve proposals now. */
  othersCanDecide: boolean
  onChanged: (operator: OperatorRow) => void
  onOvertaken: () => void
}

type Outcome = OutcomeWords | Proposal

/** One operator, and changes of their access: some take effect at once, others are proposals. */
export function OperatorCase({ listed, isListLoading, othersCanDecide, ...props }: OperatorCaseProps) {
  const { can } = useOperator()
  const settings = getData(useSettings()) ?? null
  const [outcome, setOutcome] = useState<Outcome | null>(null)
  if (listed === undefined) return <CaseMissing what="operator" isListLoading={isListLoading} />
  const operator = listed
  const { name, email, disabledAt } = operator
  const onOvertaken = (text: string) => {
    setOutcome(describeNothingDone(text))
    props.onOvertaken()
  }
  const handleDone = (text: string) => (row: OperatorRow) => {
    setOutcome({ tone: 'success', title: 'Done', text })
    props.onChanged(row)
  }
  const buildProposalProps = (onCancel: (() => void) | undefined) => ({
    onProposed: setOutcome,
    onOvertaken,
    onCancel,
  })
  // Props of a proposal that needs only a reason.
  const buildReasonProposalProps = (onCancel: (() => void) | undefined) => ({
    row: operator,
    hint: 'Other operators can read it.',
    note: <TakesTwo othersCanDecide={othersCanDecide} />,
    variant: 'primary' as const,
    what: `A change of ${isolate(name)}’s access`,
    onDecided: setOutcome,
    onOvertaken,
    onCancel,
  })
  const enable: Choice = {
    key: 'a',
    label: 'Restore access',
    panel: (onCancel) => (
      <ReasonForm
        {...buildReasonProposalProps(onCancel)}
        endpoint={enableOperator}
        consequence={`${isolate(name)} (${email}) gets access again, as ${formatRoles(operator.roles)}.`}
        confirmLabel="Propose restoring access"
      />
    ),
  }
  const changeRoles: Choice = {
    key: 'c',
    label: 'Change roles',
    panel: (onCancel) => (
      <RolesForm operator={operator} othersCanDecide={othersCanDecide} {...buildProposalProps(onCancel)} />
    ),
  }
  const disable: Choice = {
    key: 'd',
    label: 'Disable',
    variant: 'danger',
    panel: (onCancel) => (
      <ReasonForm
        row={operator}
        settings={settings}
        kind="disabling"
        endpoint={disableOperator}
        hint="Other operators can read it. The disabled operator gets a mail without the reason."
        consequence={`${isolate(name)} (${email}) loses access at once. All sessions end, and their pending proposals can no longer be approved. Restoring access takes two administrators.`}
        confirmLabel={`Disable ${isolate(name)}`}
        onDecided={handleDone(`${isolate(name)} has no access any more. All sessions have ended.`)}
        onOvertaken={onOvertaken}
        onCancel={onCancel}
      />
    ),
  }
  const endSessions: Choice = {
    key: 'e',
    label: 'End sessions',
    panel: (onCancel) => (
      <ConfirmOnly
        row={operator}
        endpoint={endOperatorSessions}
        confirmLabel="End all sessions"
        onDecided={handleDone(`All sessions of ${isolate(name)} have ended. We sent them a mail.`)}
        onOvertaken={onOvertaken}
        onCancel={onCancel}
      >
        <p>
          All sessions of <strong>{name}</strong> end at once. They can sign in again. We send them a mail.
        </p>
      </ConfirmOnly>
    ),
  }
  const takeOffFactor: Choice = {
    key: 'f',
    label: 'Remove second factor',
    panel: (onCancel) => (
      <ReasonForm
        {...buildReasonProposalProps(onCancel)}
        endpoint={resetFactor}
        consequence={`${isolate(name)}’s second factor and password would be removed, and all sessions would end. They choose a new password by mail and turn on a new second factor. First make sure that the request comes from them: call them or meet them.`}
        confirmLabel="Propose the removal"
      />
    ),
  }
  const choices =
    disabledAt !== null
      ? [enable]
      : [changeRoles, disable, endSessions, ...(operator.secondFactor ? [takeOffFactor] : [])]
  return (
    <CaseFrame>
      {outcome !== null &&
        ('kind' in outcome ? <Proposed proposal={outcome} /> : <OutcomeNotice {...outcome} />)}
      <OperatorFacts operator={operator} />
      {operator.own ? (
        <p className="soft small">You cannot change your own access. Another administrator can.</p>
      ) : (
        <>
          <NeedsRole scope="operator:operators.write" />
          {outcome === null && can('operator:operators.write') && <Decide choices={choices} />}
        </>
      )}
    </CaseFrame>
  )
}

function OperatorFacts({ operator }: { operator: OperatorRow }) {
  const { name, email, roles, own, secondFactor, createdAt, lastSeenAt, disabledAt, disabledReason } =
    operator
  return (
    <Facts
      facts={[
        { label: 'Access', value: <Status {...describeAccess(operator)} /> },
        { label: 'Name', value: own ? `${isolate(name)} (you)` : name },
        { label: 'E-mail', value: email },
        { label: 'Roles', value: formatRoles(roles) },
        { label: 'Second factor', value: secondFactor ? 'On' : 'Off: they cannot open the console' },
        { label: 'Operator since', value: <DateTime at={createdAt} show="date" /> },
        { label: 'Last seen', value: lastSeenAt === null ? 'Never' : <DateTime at={lastSeenAt} /> },
        disabledAt !== null && { label: 'Disabled', value: <DateTime at={disabledAt} /> },
        disabledAt !== null && {
          label: 'Reason',
          value: disabledReason ?? 'None. The database owner disabled the account.',
        },
      ]}
    />
  )
}

/** One invitation: its status, and withdrawing it. */
export function InvitationCase(props: { invitation: InvitationRow; onChanged: () => void }) {
  const { can } = useOperator()
  const [row, setRow] = useState(props.invitation)
  const [outcome, setOutcome] = useState<OutcomeWords | null>(null)
  return (
    <CaseFrame>
      {outcome !== null && <OutcomeNotice {...outcome} />}
      <Facts
        facts={[
          { label: 'Status', value: <Status {...INVITATION_STATUS[row.status]} /> },
          { label: 'E-mail', value: row.email },
          { label: 'Roles', value: formatRoles(row.roles) },
          { label: 'Proposed', value: <DateTime at={row.createdAt} /> },
          row.expiresAt !== null && {
            label: row.status === 'open' ? 'Works until' : 'Worked until',
            value: <DateTime at={row.expiresAt} />,
          },
        ]}
      />
      {row.status === 'awaiting' && (
        <Notice
          title="Not sent yet"
          actions={
            <ButtonLink href="/operator/proposals" size="small">
              Proposals
            </ButtonLink>
          }
        >
          A second administrator has to approve the proposal. The administrator who made it can reject it to
          withdraw it.
        </Notice>
      )}
      {outcome === null && row.status === 'open' && can('operator:operators.write') && (
        <Decide
          choices={[
            {
              key: 'w',
              label: 'Withdraw invitation',
              variant: 'danger',
              panel: (onCancel) => (
                <ConfirmOnly
                  row={row}
                  endpoint={withdrawInvitation}
                  confirmLabel="Withdraw the invitation"
                  onCancel={onCancel}
                  onDecided={(withdrawn) => {
                    setRow(withdrawn)
                    setOutcome({
                      tone: 'success',
                      title: 'Withdrawn',
                      text: 'The link no longer works.',
                    })
                    props.onChanged()
                  }}
                  onOvertaken={(text) => {
                    setOutcome(describeNothingDone(text))
                    props.onChanged()
                  }}
                >
                  <p>
                    The link that was sent to <strong translate="no">{row.email}</strong> stops working. A new
                    invitation takes two administrators.
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
