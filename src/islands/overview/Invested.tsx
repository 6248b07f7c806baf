import { listAllocations } from '../../contract/allocations.ts'
import { ButtonLink } from '../../design/ButtonLink.tsx'
import { Panel } from '../../design/Panel.tsx'
import { Table } from '../../design/Table.tsx'
import { call } from '../lib/api.ts'
import { useResource } from '../lib/resource.ts'
import { POSITION_COLUMNS } from '../strategies/positionColumns.tsx'

/** What is in strategies, or waits to be: where the profit comes from. `at` changes with the figures beside it. */
export function Invested({ at }: { at: string }) {
  const positions = useResource(`allocations ${at}`, () => call(listAllocations))
  return (
    <Panel title="Invested" actions={<ButtonLink href="/dashboard/strategies">Strategies</ButtonLink>}>
      <Table
        caption="What is invested, by strategy"
        columns={POSITION_COLUMNS}
        data={positions.state === 'ready' ? { state: 'ready', rows: positions.data } : positions}
        rowKey={({ _id }) => _id}
        skeletonRows={2}
        emptyText="Nothing is invested."
        onRetry={positions.reload}
        hrefOf={({ strategy }) => `/dashboard/strategies?strategy=${strategy}`}
      />
    </Panel>
  )
}
