import { listAllocations } from '../../contract/investing/allocations.ts'
import { Table } from '../../design/Table.tsx'
import { POSITION_COLUMNS } from '../investing/strategies/positionColumns.tsx'
import { listedPositions } from '../investing/strategies/positions.ts'
import { call } from '../lib/api.ts'
import { useResource } from '../lib/resource.ts'
import styles from './Overview.module.css'

/** What is in strategies, or waits to be: where the profit comes from. */
export function Invested() {
  const positions = useResource('allocations', () => call(listAllocations))
  return (
    <section aria-labelledby="invested">
      <h2 id="invested" className={styles.heading}>
        Invested
      </h2>
      <Table
        caption="What is invested, by strategy"
        columns={POSITION_COLUMNS}
        data={
          positions.state === 'ready' ? { state: 'ready', rows: listedPositions(positions.data) } : positions
        }
        rowKey={({ _id }) => _id}
        skeletonRows={3}
        emptyText={
          <>
            Nothing is invested. The <a href="/dashboard/trading-plans">trading plans</a> lead to the
            strategies.
          </>
        }
        onRetry={positions.reload}
        hrefOf={({ strategy }) => `/dashboard/strategies?strategy=${strategy}`}
      />
    </section>
  )
}
