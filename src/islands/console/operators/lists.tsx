import {
  disableOperator,
  enableOperator,
  endOperatorSessions,
  type InvitationRow,
  listInvitations,
  listOperators,
  type OperatorRow,
  resetFactor,
  withdrawInvitation,
} from '../../../contract/console/operators.ts'
import { isolate } from '../../../contract/isolate.ts'
import { ButtonLink } from '../../../design/Button.tsx'
import { DateTime, TableDate } from '../../../design/DateTime.tsx'
import { Facts } from '../../../design/Facts.tsx'
import { Notice } from '../../../design/Notice.tsx'
import { Status } from '../../../design/Status.tsx'
import { ConfirmOnly } from '../cases/ConfirmedForm.tsx'
import { Person } from '../cases/columns.tsx'
import type { QueueDecision, QueueKind } from '../cases/queueKind.ts'
import { describeProposed, proposeIt, ReasonForm } from '../cases/ReasonForm.tsx'
import { InviteForm, PROPOSED, RolesForm, TakesTwo } from './RolesForm.tsx'
import { describeAccess, formatRoles, INVITATION_STATUS } from './words.ts'

/** Operators, and changes of their access: some take effect at once, others are proposals. */
export const people: QueueKind<OperatorRow> = {
  endpoint: listOperators,
  plural: 'operators',
  singular: 'operator',
  title: 'All operators',
  columns: [
    {
      key: 'who',
      header: 'Operator',
      narrow: 'line',
      lines: 2,
      cell: ({ name, email, own }) => <Person name={own ? `${isolate(name)} (you)` : name} email={email} />,
    },
    { key: 'roles', header: 'Roles', narrow: 'line', cell: ({ roles }) => formatRoles(roles) },
    {
      key: 'factor',
      header: 'Second factor',
      narrow: 'line',
      label: true,
      cell: ({ secondFactor }) => (secondFactor ? 'On' : 'Off'),
    },
    {
      key: 'seen',
      header: 'Last seen',
      narrow: 'line',
      label: true,
      cell: ({ lastSeenAt }) => (lastSeenAt === null ? 'Never' : <TableDate at={lastSeenAt} />),
    },
    { key: 'access', header: 'Access', narrow: 'line', cell: (row) => <Status {...describeAccess(row)} /> },
  ],
  skeletonRows: 3,
  titleOf: (operator) => operator?.name ?? 'Operator',
  details: (operator) => (
    <>
      <OperatorFacts operator={operator} />
      {operator.own && (
        <p className="soft small">You cannot change your own access. Another administrator can.</p>
      )}
    </>
  ),
  decisions: (operator) => (operator.own ? [] : listAccessDecisions(operator)),
  outcomeOf: ({ name, disabledAt }) => ({
    tone: 'success',
    title: 'Done',
    text:
      disabledAt === null
        ? `All sessions of ${isolate(name)} have ended. We sent them a mail.`
        : `${isolate(name)} has no access any more. All sessions have ended.`,
  }),
}

const scope = 'operator:operators.write'

function listAccessDecisions(operator: OperatorRow): readonly QueueDecision<OperatorRow>[] {
  const { name, email, disabledAt } = operator
  const reason = {
    hint: 'Other operators can read it.',
    note: <TakesTwo />,
    what: `A change of ${isolate(name)}’s access`,
  }
  if (disabledAt !== null)
    return [
      proposeIt({ key: 'a', label: 'Restore access', scope }, PROPOSED, {
        ...reason,
        endpoint: enableOperator,
        consequence: `${isolate(name)} (${email}) gets access again, as ${formatRoles(operator.roles)}.`,
        confirmLabel: 'Propose restoring access',
      }),
    ]
  const decisions: QueueDecision<OperatorRow>[] = [
    {
      key: 'c',
      label: 'Change roles',
      scope,
      panel: ({ onDone, ...props }) => (
        <RolesForm {...props} onDecided={(proposal) => onDone(describeProposed(proposal, PROPOSED))} />
      ),
    },
    {
      key: 'd',
      label: 'Disable',
      scope,
      variant: 'danger',
      panel: (props) => (
        <ReasonForm
          {...props}
          kind="disabling"
          endpoint={disableOperator}
          hint="Other operators can read it. The disabled operator gets a mail without the reason."
          consequence={`${isolate(name)} (${email}) loses access at once. All sessions end, and their pending proposals can no longer be approved. Restoring access takes two administrators.`}
          confirmLabel={`Disable ${isolate(name)}`}
        />
      ),
    },
    {
      key: 'e',
      label: 'End sessions',
      scope,
      panel: (props) => (
        <ConfirmOnly {...props} endpoint={endOperatorSessions} confirmLabel="End all sessions">
          <p>
            All sessions of <strong>{name}</strong> end at once. They can sign in again. We send them a mail.
          </p>
        </ConfirmOnly>
      ),
    },
  ]
  if (operator.secondFactor)
    decisions.push(
      proposeIt({ key: 'f', label: 'Remove second factor', scope }, PROPOSED, {
        ...reason,
        endpoint: resetFactor,
        consequence: `${isolate(name)}’s second factor and password would be removed, and all sessions would end. They choose a new password by mail and turn on a new second factor. First make sure that the request comes from them: call them or meet them.`,
        confirmLabel: 'Propose the removal',
      }),
    )
  return decisions
}

function OperatorFacts({ operator }: { operator: OperatorRow }) {
  const { name, email, roles, own, secondFactor, createdAt, lastSeenAt } = operator
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
      ]}
    />
  )
}

export const invitations: QueueKind<InvitationRow> = {
  endpoint: listInvitations,
  plural: 'invitations',
  singular: 'invitation',
  title: 'Invitations of the last 30 days',
  openedBy: 'invitation',
  columns: [
    {
      key: 'who',
      header: 'Invited',
      narrow: 'line',
      lines: 2,
      cell: ({ name, email }) => <Person name={name} email={email} />,
    },
    { key: 'roles', header: 'Roles', narrow: 'line', cell: ({ roles }) => formatRoles(roles) },
    {
      key: 'at',
      header: 'Proposed',
      narrow: 'line',
      label: true,
      cell: ({ createdAt }) => <TableDate at={createdAt} />,
    },
    {
      key: 'status',
      header: 'Status',
      narrow: 'line',
      cell: ({ status }) => <Status {...INVITATION_STATUS[status]} />,
    },
  ],
  emptyText: 'Nobody was invited in the last 30 days.',
  skeletonRows: 1,
  create: { label: 'Invite an operator', scope, variant: 'primary', form: InviteForm },
  titleOf: (invitation) => (invitation ? `Invitation for ${isolate(invitation.name)}` : 'Invitation'),
  details: ({ status, email, roles, createdAt, expiresAt }) => (
    <Facts
      facts={[
        { label: 'Status', value: <Status {...INVITATION_STATUS[status]} /> },
        { label: 'E-mail', value: email },
        { label: 'Roles', value: formatRoles(roles) },
        { label: 'Proposed', value: <DateTime at={createdAt} /> },
        expiresAt !== null && {
          label: status === 'open' ? 'Works until' : 'Worked until',
          value: <DateTime at={expiresAt} />,
        },
      ]}
    />
  ),
  notice: ({ status }) =>
    status === 'awaiting' && (
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
    ),
  decisions: ({ status, email }) =>
    status === 'open'
      ? [
          {
            key: 'w',
            label: 'Withdraw invitation',
            scope,
            variant: 'danger',
            panel: (props) => (
              <ConfirmOnly {...props} endpoint={withdrawInvitation} confirmLabel="Withdraw the invitation">
                <p>
                  The link that was sent to <strong translate="no">{email}</strong> stops working. A new
                  invitation takes two administrators.
                </p>
              </ConfirmOnly>
            ),
          },
        ]
      : [],
  outcomeOf: () => ({ tone: 'success', title: 'Withdrawn', text: 'The link no longer works.' }),
}
