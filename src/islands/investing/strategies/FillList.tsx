import { type Fill, listFills } from '../../../contract/investing/strategies.ts'
import { formatPrice } from '../../../contract/money.ts'
import { DateTime } from '../../../design/DateTime.tsx'
import { Panel } from '../../../design/Panel.tsx'
import { type Column, Pagination, Table } from '../../../design/Table.tsx'
import { usePages } from '../../lib/pages.ts'
import styles from './Strategies.module.css'
import { shareWords } from './words.ts'

const PAGE = '10'

export function FillList({ strategy }: { strategy: string }) {
  const { data, reload, ...paging } = usePages(listFills, { limit: PAGE }, { slug: strategy })
  return (
    <Panel title="What it traded">
      <p className="soft small">
        Simulated. Share is the asset’s part of the holdings at the day’s open and close. Amounts and trades
        for investors are not shown: they would tell what others own.
      </p>
      <Table
        caption="What this strategy bought and sold, newest first"
        columns={COLUMNS}
        data={data}
        rowKey={({ _id }) => _id}
        skeletonRows={4}
        emptyText="It has traded nothing yet."
        onRetry={reload}
        footer={<Pagination {...paging} />}
      />
    </Panel>
  )
}

const COLUMNS: readonly Column<Fill>[] = [
  {
    key: 'what',
    header: 'Trade',
    lines: 2,
    narrow: 'start',
    cell: ({ side, asset, day, stopped }) => (
      <>
        {side === 'buy' ? 'Bought' : 'Sold'} {asset.name}
        <span className={styles.about}>
          <DateTime at={`${day}T00:00:00.000Z`} show="date" timeZone="UTC" />
          {stopped && ', at a stop'}
        </span>
      </>
    ),
  },
  {
    key: 'price',
    header: 'Price',
    align: 'end',
    narrow: 'end',
    cell: ({ price }) => <span className="number">{formatPrice(price)}</span>,
  },
  {
    key: 'part',
    header: 'Share',
    align: 'end',
    narrow: 'line',
    label: true,
    cell: (fill) => <span className="number">{shareWords(fill)}</span>,
  },
  {
    key: 'costs',
    header: 'Costs',
    align: 'end',
    narrow: 'line',
    label: true,
    cell: ({ feeBasisPoints, slippageBasisPoints }) =>
      `${(feeBasisPoints / 100).toFixed(2)}% fee, ${(slippageBasisPoints / 100).toFixed(2)}% slippage`,
  },
]
