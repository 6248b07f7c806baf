import { useState } from 'react'
import {
  type InvitationRow,
  listInvitations,
  listOperators,
  type OperatorRow,
} from '../../../contract/console/operators.ts'
import { isolate } from '../../../contract/isolate.ts'
import { ROLES } from '../../../contract/roles.ts'
import { Button } from '../../../design/Button.tsx'
import { TableDate } from '../../../design/DateTime.tsx'
import { Modal } from '../../../design/Modal.tsx'
import { Panel } from '../../../design/Panel.tsx'
import { Status } from '../../../design/Status.tsx'
import { Pagination } from '../../../design/Table.tsx'
import { usePages } from '../../lib/pages.ts'
import { Person } from '../cases/columns.tsx'
import { NeedsRole, OperatorScreen } from '../cases/OperatorScreen.tsx'
import { TablePanel, type TablePanelProps } from '../cases/TablePanel.tsx'
import { useAddress } from '../cases/useAddress.ts'
import { useDecided } from '../cases/useDecided.ts'
import { useOperator } from '../cases/useOperator.ts'
import { MonitoringTokens } from './MonitoringTokens.tsx'
import { InvitationCase, OperatorCase } from './OperatorCase.tsx'
import { InviteForm } from './RolesForm.tsx'
import { canAdminister, describeAccess, formatRoles, INVITATION_STATUS, listPermissions } from './words.ts'

/** /operator/operators: operators, invitations, and what each role may do. */
export function Operators() {
  return (
    <OperatorScreen
      scope="operator:operators.read"
      waiting={
        <>
          <TablePanel {...PEOPLE} />
          <TablePanel {...INVITATIONS} />
        </>
      }
    >
      {OperatorsScreen}
    </OperatorScreen>
  )
}

function OperatorsScreen() {
  const { can } = useOperator()
  const [openId, setOpen] = useAddress('open', '')
  const [isInviting, setInviting] = useState(false)
  const [invitation, setInvitation] = useState<InvitationRow | null>(null)
  const operators = usePages(listOperators)
  const invitations = usePages(listInvitations)
  const changed = useDecided(operators.data, 'operators')
  const rows = changed.data.state === 'ready' ? changed.data.rows : []
  const opened = rows.find(({ _id }) => _id === openId)
  const mayChange = can('operator:operators.write')
  const othersCanDecide = operators.hasMore || rows.some((row) => !row.own && canAdminister(row))
  return (
    <>
      <TablePanel
        {...PEOPLE}
        data={changed.data}
        onRetry={operators.reload}
        onOpen={({ _id }) => setOpen(_id)}
        footer={<Pagination {...operators} />}
        actions={
          mayChange && (
            <Button variant="primary" size="small" onClick={() => setInviting(true)}>
              Invite an operator
            </Button>
          )
        }
      />
      <TablePanel
        {...INVITATIONS}
        data={invitations.data}
        onRetry={invitations.reload}
        onOpen={setInvitation}
        footer={<Pagination {...invitations} />}
      />
      <MonitoringTokens />
      <TablePanel
        title="What each role may do"
        caption="Permissions by role"
        columns={[
          { key: 'what', header: 'Permission', narrow: 'line', cell: ({ what }) => what },
          {
            key: 'roles',
            header: 'Roles',
            narrow: 'line',
            cell: ({ roles }) => (roles.length === ROLES.length ? 'All roles' : formatRoles(roles)),
          },
        ]}
        rows={listPermissions()}
        rowKey={({ what }) => what}
        emptyText="No role has a permission."
      />
      <Panel title="Who approves changes of access">
        <p>
          Two administrators approve an invitation, a change of roles, restored access or the removal of a
          second factor. Neither can be the operator concerned. One administrator can disable an operator or
          end their sessions at once. The last administrator who can act cannot be disabled.
        </p>
        <p>
          While fewer than two administrators can act, the database owner can invite one:{' '}
          <code translate="no">npm run operator -- invite you@example.org</code> prints a link and is recorded
          in the audit log. The command is refused once two can act.
        </p>
        <NeedsRole scope="operator:operators.write" />
      </Panel>
      <Modal open={isInviting} onClose={() => setInviting(false)} title="Invite an operator" size="large">
        <InviteForm
          othersCanDecide={othersCanDecide}
          onProposed={invitations.reload}
          onClose={() => setInviting(false)}
        />
      </Modal>
      <Modal open={openId !== ''} onClose={() => setOpen('')} title={opened?.name ?? 'Operator'} size="large">
        <OperatorCase
          key={openId}
          listed={opened}
          isListLoading={operators.data.state === 'loading'}
          othersCanDecide={othersCanDecide}
          onChanged={changed.put}
          onOvertaken={() => {
            changed.forget()
            operators.reload()
          }}
        />
      </Modal>
      <Modal
        open={invitation !== null}
        onClose={() => setInvitation(null)}
        title={invitation ? `Invitation for ${isolate(invitation.name)}` : 'Invitation'}
        size="large"
      >
        {invitation && <InvitationCase invitation={invitation} onChanged={invitations.reload} />}
      </Modal>
    </>
  )
}

const PEOPLE: TablePanelProps<OperatorRow> = {
  title: 'All operators',
  caption: 'Operators',
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
  rowKey: ({ _id }) => _id,
  emptyText: 'There are no operators yet.',
  skeletonRows: 3,
}

const INVITATIONS: TablePanelProps<InvitationRow> = {
  title: 'Invitations of the last 30 days',
  caption: 'Invitations',
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
  rowKey: ({ _id }) => _id,
  emptyText: 'Nobody was invited in the last 30 days.',
  skeletonRows: 1,
}
