import { ROLES } from '../../../contract/roles.ts'
import { Panel } from '../../../design/Panel.tsx'
import { NeedsRole, OperatorScreen } from '../cases/OperatorScreen.tsx'
import { QueueList } from '../cases/QueueScreen.tsx'
import { QueueView } from '../cases/QueueView.tsx'
import { TablePanel } from '../cases/TablePanel.tsx'
import { invitations, people } from './lists.tsx'
import { monitoringTokens } from './monitoringTokens.tsx'
import { formatRoles, listPermissions } from './words.ts'

/** /operator/operators: operators, invitations, and what each role may do. */
export function Operators() {
  return (
    <OperatorScreen
      scope="operator:operators.read"
      waiting={
        <>
          <QueueView kind={people} />
          <QueueView kind={invitations} />
        </>
      }
    >
      {OperatorsScreen}
    </OperatorScreen>
  )
}

function OperatorsScreen() {
  return (
    <>
      <QueueList kind={people} />
      <QueueList kind={invitations} />
      <QueueList kind={monitoringTokens} />
      <TablePanel
        title="What each role may do"
        fold={{ gist: 'Every permission, and the roles that have it.', isInOrder: true }}
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
    </>
  )
}
