import type { OperatorHealth } from '../../../contract/console/health.ts'
import { DateTime } from '../../../design/DateTime.tsx'
import { Panel } from '../../../design/Panel.tsx'
import { type Column, Table } from '../../../design/Table.tsx'
import { rolesInWords } from '../cases/roleWords.ts'

type Operators = OperatorHealth['operators']

/** Who of the operators is signed in now. Undefined while it loads. */
export function SignedIn({ operators }: { operators: Operators | undefined }) {
  return (
    <Panel title="Operators signed in">
      <Table
        caption="Operators signed in"
        columns={columns}
        data={operators ? { state: 'ready', rows: operators } : { state: 'loading' }}
        rowKey={({ _id }) => _id}
        emptyText="Nobody is signed in."
        skeletonRows={2}
      />
    </Panel>
  )
}

const columns: readonly Column<Operators[number]>[] = [
  { key: 'name', header: 'Name', cell: ({ name }) => name },
  { key: 'roles', header: 'Roles', cell: ({ roles }) => rolesInWords(roles) },
  { key: 'sessions', header: 'Sessions', align: 'end', cell: ({ sessions }) => sessions },
  { key: 'seen', header: 'Last seen', align: 'end', cell: ({ lastSeenAt }) => <DateTime at={lastSeenAt} /> },
]
