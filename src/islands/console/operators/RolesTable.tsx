import { ROLES } from '../../../contract/console/roles.ts'
import { Panel } from '../../../design/Panel.tsx'
import { type Column, Table } from '../../../design/Table.tsx'
import { type Permission, permissions, roleNames } from './words.ts'

/** What may be done, and which roles may. */
export function RolesTable() {
  return (
    <Panel title="What each role may do">
      <Table
        caption="What may be done, and which roles may"
        columns={columns}
        data={{ state: 'ready', rows: permissions() }}
        rowKey={({ what }) => what}
        emptyText="No role may do anything."
      />
    </Panel>
  )
}

const columns: readonly Column<Permission>[] = [
  { key: 'what', header: 'What', cell: ({ what }) => what },
  {
    key: 'roles',
    header: 'Who may',
    cell: ({ roles }) => (roles.length === ROLES.length ? 'Every role' : roleNames(roles)),
  },
]
