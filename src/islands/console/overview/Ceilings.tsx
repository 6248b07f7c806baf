import type { OperatorOverview } from '../../../contract/console/overview.ts'
import { Money } from '../../../design/Money.tsx'
import { Panel } from '../../../design/Panel.tsx'
import { type Column, Table } from '../../../design/Table.tsx'

type Ceilings = OperatorOverview['ceilings']

/** What of the daily ceilings is used and left. Undefined while it loads. */
export function Ceilings({ ceilings }: { ceilings: Ceilings | undefined }) {
  return (
    <Panel title="Daily ceilings">
      <Table
        caption="Credits and payouts of the last 24 hours"
        columns={columns}
        data={
          ceilings
            ? { state: 'ready', rows: ROWS.map((row) => ({ ...row, ...ceilings[row.name] })) }
            : { state: 'loading' }
        }
        rowKey={({ name }) => name}
        emptyText="There are no ceilings."
        skeletonRows={4}
      />
    </Panel>
  )
}

const ROWS = [
  { name: 'creditsAlone', what: 'Credited by you alone' },
  { name: 'payoutsAlone', what: 'Paid out by you alone' },
  { name: 'credits', what: 'Credited by all operators' },
  { name: 'payouts', what: 'Paid out by all operators' },
] as const satisfies readonly { name: keyof Ceilings; what: string }[]

type Row = (typeof ROWS)[number] & Ceilings[keyof Ceilings]

const columns: readonly Column<Row>[] = [
  { key: 'what', header: 'In the last 24 hours', cell: ({ what }) => what },
  { key: 'used', header: 'Used', align: 'end', cell: ({ used }) => <Money value={used} /> },
  { key: 'left', header: 'Left', align: 'end', cell: (row) => <Money value={leftOf(row)} /> },
]

// Exact to the cent as the API's figures are. A ceiling that was lowered since may be passed.
function leftOf({ limit, used }: Row): number {
  return Math.max(0, Math.round((limit - used) * 100) / 100)
}
