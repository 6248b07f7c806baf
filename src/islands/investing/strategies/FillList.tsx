import { formatDay } from '../../../contract/dates.ts'
import { type Fill, listFills, listRecord, type Strategy } from '../../../contract/investing/strategies.ts'
import { formatPrice } from '../../../contract/money.ts'
import { DateTime } from '../../../design/DateTime.tsx'
import { Panel } from '../../../design/Panel.tsx'
import { type Column, Pagination, Table } from '../../../design/Table.tsx'
import { call } from '../../lib/api.ts'
import { usePages } from '../../lib/pages.ts'
import { useResource } from '../../lib/resource.ts'
import styles from './Strategies.module.css'
import { describeHoldings, describeShareChange } from './words.ts'

const PAGE = '10'

interface FillListProps {
  strategy: Strategy
  /** Whether the investor owns units of it. */
  isFollowed: boolean
}

export function FillList({ strategy: { slug, assets, startedAt }, isFollowed }: FillListProps) {
  const { data, reload, ...paging } = usePages(listFills, { limit: PAGE }, { slug })
  return (
    <Panel title={isFollowed ? 'What it traded' : 'What the model traded'}>
      {!isFollowed && <p>This is the model: the same rules, traded without your money.</p>}
      <Holdings slug={slug} assets={assets} />
      <p className="soft small">Share: the asset’s part of the holdings, from the day’s open to its close.</p>
      <Table
        caption="What this strategy bought and sold, newest first"
        columns={COLUMNS}
        data={data}
        rowKey={({ _id }) => _id}
        skeletonRows={4}
        emptyText={`No trade since it started on ${formatDay(startedAt.slice(0, 10))}. It keeps what its rules held then.`}
        onRetry={reload}
        footer={<Pagination {...paging} />}
      />
    </Panel>
  )
}

/** The holdings of the rules at the last close. */
function Holdings({ slug, assets }: Pick<Strategy, 'slug' | 'assets'>) {
  const record = useResource(`record ${slug}`, () =>
    call(listRecord, { params: { slug }, query: { limit: '2' } }),
  )
  const close = record.state === 'ready' ? record.data.find(({ kind }) => kind === 'close') : undefined
  if (close === undefined) return null
  return (
    <p>
      Holdings at the close of {formatDay(close.day)}: {describeHoldings(close.weights, assets)}.
    </p>
  )
}

const COLUMNS: readonly Column<Fill>[] = [
  {
    key: 'what',
    header: 'Trade',
    lines: 2,
    narrow: 'start',
    cell: ({ side, asset, day, stopped }) => (
      <span>
        <span>{side === 'buy' ? 'Bought' : 'Sold'}</span> {asset.name}
        <span className={styles.about}>
          <DateTime at={day} show="date" timeZone="UTC" />
          <span>{stopped && ', at a stop'}</span>
        </span>
      </span>
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
    cell: (fill) => <span className="number">{describeShareChange(fill)}</span>,
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
