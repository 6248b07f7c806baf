import type { OperatorOverview } from '../../../contract/console/overview.ts'
import { DateTime } from '../../../design/DateTime.tsx'
import { Facts } from '../../../design/Facts.tsx'
import { Money } from '../../../design/Money.tsx'
import { Notice } from '../../../design/Notice.tsx'
import { Panel } from '../../../design/Panel.tsx'
import { type Column, Table } from '../../../design/Table.tsx'
import { coinLabel, coinSymbol } from '../cases/coinWords.ts'
import { coverage, shareWords } from './coverage.ts'

type Asset = OperatorOverview['custody'][number]

/** What is held, by asset at market prices, against what investors are owed. */
export function Custody({ overview }: { overview: OperatorOverview | undefined }) {
  return (
    <Panel title="Custody and liabilities">
      <Table
        caption="What is held, by asset"
        columns={columnsFor(overview?.liabilities ?? 0)}
        data={overview ? { state: 'ready', rows: overview.custody } : { state: 'loading' }}
        rowKey={({ asset }) => asset}
        emptyText="Nothing is held yet."
        skeletonRows={3}
      />
      {overview && (
        <>
          <Against {...coverage(overview)} debts={overview.debts} />
          <p className="small soft">
            Owed is what investors could claim in US dollars: cash, what is held for withdrawals or waits to
            be invested, and units of strategies at their latest valuation. Debts of investors are never
            subtracted. It belongs to no asset, so each asset is compared with all of it.{' '}
            <Strategies {...overview.strategies} /> As of <DateTime at={overview.booksAt} />.
          </p>
        </>
      )}
    </Panel>
  )
}

/** What investors owe after reversed credits. It is listed apart, because one investor's debt pays no other investor. */
function Debts({ amount, investors }: OperatorOverview['debts']) {
  if (amount === 0) return <Money value={0} />
  return (
    <>
      <Money value={amount} /> ({investors === 1 ? '1 investor' : `${investors} investors`})
    </>
  )
}

/** Trading is simulated: nothing leaves custody for it. */
function Strategies({ paidIn, value }: OperatorOverview['strategies']) {
  if (paidIn === 0 && value === 0) return null
  return (
    <>
      Of what is held, <Money value={paidIn} /> was paid into strategies: it counts as what their pools are
      worth by simulated prices, <Money value={value} />.
    </>
  )
}

type AgainstProps = ReturnType<typeof coverage> & Pick<OperatorOverview, 'debts'>

function Against({ heldUsd, owedUsd, differenceUsd, unpriced, debts }: AgainstProps) {
  return (
    <>
      <Facts
        facts={[
          { label: 'Held, at market prices', value: <Money value={heldUsd} /> },
          { label: 'Owed to investors', value: <Money value={owedUsd} /> },
          { label: 'Owed by investors', value: <Debts {...debts} /> },
          { label: 'Held, as a share of what is owed', value: shareWords(heldUsd, owedUsd) },
          {
            label: 'Held less owed',
            value: <Money value={differenceUsd} sign="always" tone="result" />,
          },
        ]}
      />
      {unpriced.length > 0 ? (
        <Notice tone="caution">
          There is no market price for {unpriced.map(coinLabel).join(', ')} now: the comparison leaves it out.
        </Notice>
      ) : (
        differenceUsd < 0 && (
          <Notice tone="caution">
            At today’s prices less is held than is owed. Prices move: what was taken in is worth less now, or
            more was paid out than came in.
          </Notice>
        )
      )}
    </>
  )
}

const columnsFor = (owedUsd: number): readonly Column<Asset>[] => [
  { key: 'asset', header: 'Asset', cell: ({ asset }) => coinLabel(asset) },
  {
    key: 'quantity',
    header: 'Quantity',
    align: 'end',
    cell: ({ asset, quantity }) => `${quantity} ${coinSymbol(asset)}`,
  },
  {
    key: 'value',
    header: 'Value now',
    align: 'end',
    cell: ({ valueUsd }) => (valueUsd === null ? 'No price' : <Money value={valueUsd} />),
  },
  {
    key: 'share',
    header: 'Of what is owed',
    align: 'end',
    cell: ({ valueUsd }) => (valueUsd === null ? 'No price' : shareWords(valueUsd, owedUsd)),
  },
]
