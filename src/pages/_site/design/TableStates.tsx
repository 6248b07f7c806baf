import { DateTime } from '../../../design/DateTime.tsx'
import { EmptyState } from '../../../design/EmptyState.tsx'
import { Money } from '../../../design/Money.tsx'
import { Pagination } from '../../../design/Pagination.tsx'
import { Panel } from '../../../design/Panel.tsx'
import { Status } from '../../../design/Status.tsx'
import type { Column } from '../../../design/Table.tsx'
import { Table } from '../../../design/Table.tsx'
import { toast } from '../../../design/toasts.ts'

interface Row {
  id: string
  details: string
  amount: number
  status: string
  at: string
}

const rows: readonly Row[] = [
  { id: '1', details: 'Bitcoin deposit', amount: 1500, status: 'pending', at: '2026-01-31T09:30:00.000Z' },
  { id: '2', details: 'USDT withdrawal', amount: 250.5, status: 'completed', at: '2026-01-28T16:05:00.000Z' },
  { id: '3', details: 'Bank withdrawal', amount: 12_000, status: 'rejected', at: '2026-01-12T07:45:00.000Z' },
]

const three: readonly Column<Row>[] = [
  { key: 'details', header: 'Details', cell: (row) => row.details },
  { key: 'amount', header: 'Amount', align: 'end', cell: (row) => <Money value={row.amount} /> },
  { key: 'status', header: 'Status', align: 'end', cell: (row) => <Status status={row.status} /> },
]

const four: readonly Column<Row>[] = [
  ...three,
  { key: 'at', header: 'Requested', align: 'end', cell: (row) => <DateTime at={row.at} /> },
]

const shaped: readonly Column<Row>[] = [
  { key: 'details', header: 'Details', narrow: 'start', cell: (row) => row.details },
  {
    key: 'amount',
    header: 'Amount',
    align: 'end',
    narrow: 'end',
    cell: (row) => <Money value={row.amount} />,
  },
  { key: 'status', header: 'Status', narrow: 'short-start', cell: (row) => <Status status={row.status} /> },
  {
    key: 'at',
    header: 'Requested',
    narrow: 'wide-end',
    label: true,
    cell: (row) => <DateTime at={row.at} />,
  },
]

const shared = { rowKey: (row: Row) => row.id, emptyText: 'Nothing waits here.' }

export function TableStates() {
  return (
    <>
      <Panel title="Table">
        <Table
          {...shared}
          caption="History"
          columns={three}
          data={{ state: 'ready', rows }}
          onOpen={(row) => toast(row.details)}
          footer={<Pagination hasMore pending={false} onMore={() => toast('One page more')} />}
        />
      </Panel>
      <Panel title="Wide table">
        <Table {...shared} caption="Queue" columns={four} data={{ state: 'ready', rows }} />
      </Panel>
      <Panel title="Wide table with rows of a shape">
        <Table {...shared} caption="Shaped" columns={shaped} data={{ state: 'ready', rows }} />
      </Panel>
      <Panel title="Table loading">
        <Table {...shared} caption="Loading" columns={three} data={{ state: 'loading' }} skeletonRows={3} />
      </Panel>
      <Panel title="Table empty">
        <Table
          {...shared}
          caption="Empty"
          columns={three}
          data={{ state: 'ready', rows: [] }}
          emptyText={<EmptyState title="You currently do not have any transaction history" />}
        />
      </Panel>
      <Panel title="Table failed">
        <Table
          {...shared}
          caption="Failed"
          columns={three}
          data={{ state: 'failed', msg: 'The history could not be loaded.' }}
          onRetry={() => toast('Trying again')}
        />
      </Panel>
    </>
  )
}
