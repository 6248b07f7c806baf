import { COIN_SYMBOLS, type Coin } from '../../../contract/money/coins.ts'
import {
  GAIN_METHOD_WORDS,
  type GainDisposal,
  type GainLot,
  type GainReport,
  type Gains,
} from '../../../contract/money/gains.ts'
import { formatNumber } from '../../../contract/numbers.ts'
import { joinClasses } from '../../../design/classes.ts'
import { DateTime, TableDate } from '../../../design/DateTime.tsx'
import { Money, OwnAmount } from '../../../design/Money.tsx'
import { Panel } from '../../../design/Panel.tsx'
import { type Column, Table } from '../../../design/Table.tsx'
import { site } from '../../../site.ts'
import styles from '../statements/Statement.module.css'
import { SheetHeader, Sum } from '../statements/StatementSheet.tsx'

/** A year's gains on screen and on paper. Each row names the orders behind it. */
export function GainSheet({
  gains: { year, years, name, rules },
  report,
}: {
  gains: Gains
  report: GainReport
}) {
  const atEnd = year === years[0] ? 'now' : `at the end of ${year}`
  const { disposals, short, long, lots, paidIn, paidOut } = report
  return (
    <div className={joinClasses(styles.sheet, site.mode === 'simulated' && styles.simulated)}>
      <Panel>
        <SheetHeader name={name}>
          <p className="soft">Gains and losses of {year}</p>
          {rules && (
            <p className="soft">
              <span>{GAIN_METHOD_WORDS[rules.method].label}</span>, long after {rules.holdingDays} days. Fixed{' '}
              <DateTime at={rules.fixedAt} show="date" timeZone="UTC" />.
            </p>
          )}
        </SheetHeader>
        <dl className={styles.sums}>
          <Sum label="Sold for" hint="proceeds" value={add(short.proceeds, long.proceeds)} />
          <Sum label="Cost of what was sold" value={-add(short.cost, long.cost)} signed />
          <Sum label="Short-term gain or loss" value={short.gain} isResult />
          <Sum label="Long-term gain or loss" value={long.gain} isResult />
          <Sum label="Gain or loss" value={add(short.gain, long.gain)} isResult />
        </dl>
        <p className="soft small">
          Gains are of strategy units only. A coin that you pay in is a sale of that coin to us, and one that
          we pay out is a purchase. We do not know what you paid for a coin, so its gain is not in these
          figures. This is not tax advice.
        </p>
        <h2 className={styles.title}>Every sale</h2>
        <Table
          caption="Sales, matched with purchases"
          columns={disposalColumns}
          data={{ state: 'ready', rows: disposals.map((row, place) => ({ ...row, place })) }}
          rowKey={({ place }) => String(place)}
          emptyText={`Nothing was sold in ${year}.`}
        />
        <h2 className={styles.title}>{`Units owned ${atEnd}`}</h2>
        <Table
          caption={`Units owned ${atEnd}`}
          columns={lotColumns}
          data={{ state: 'ready', rows: lots }}
          rowKey={({ _id }) => _id}
          emptyText={`No units owned ${atEnd}.`}
        />
        <h2 className={styles.title}>Coins paid in and out</h2>
        <Table
          caption="Coins paid in and out"
          columns={coinColumns}
          data={{
            state: 'ready',
            rows: [
              ...paidIn.map((row) => ({ ...row, way: 'Paid in' })),
              ...paidOut.map((row) => ({ ...row, way: 'Paid out' })),
            ],
          }}
          rowKey={({ ref }) => ref}
          emptyText={`No coin was paid in or out in ${year}.`}
        />
      </Panel>
    </div>
  )
}

/** Adds dollars to the cent. */
function add(a: number, b: number): number {
  return Math.round((a + b) * 100) / 100
}

/** A day in UTC and a link to the order of that day. A fee has no order. */
function DayAndOrder({ at, ref }: { at: string; ref: string | null }) {
  return (
    <span>
      <TableDate at={at} show="date" timeZone="UTC" />{' '}
      {ref !== null && (
        <a translate="no" className={styles.ref} href={`/dashboard/transaction-history?open=${ref}`}>
          {ref}
        </a>
      )}
    </span>
  )
}

const disposalColumns: readonly Column<GainDisposal & { place: number }>[] = [
  {
    key: 'what',
    header: 'Sold',
    narrow: 'line',
    cell: ({ sale, units }) => (
      <span>
        <OwnAmount>{formatNumber(units, 6)}</OwnAmount> units of <span>{sale.strategy}</span>
        <span>{sale.isFee && ', for a fee'}</span>
      </span>
    ),
  },
  {
    key: 'bought',
    header: 'Bought',
    narrow: 'start',
    label: true,
    cell: ({ lot }) => <DayAndOrder {...lot} />,
  },
  {
    key: 'sold',
    header: 'Sold on',
    narrow: 'end',
    label: true,
    cell: ({ sale, isLong }) => (
      <span>
        <DayAndOrder {...sale} /> <span className="soft small">{isLong ? 'Long' : 'Short'}</span>
      </span>
    ),
  },
  {
    key: 'proceeds',
    header: 'Proceeds',
    align: 'end',
    narrow: 'start',
    label: true,
    cell: ({ proceeds }) => <Money value={proceeds} />,
  },
  {
    key: 'cost',
    header: 'Cost',
    align: 'end',
    narrow: 'end',
    label: true,
    cell: ({ cost }) => <Money value={cost} />,
  },
  {
    key: 'gain',
    header: 'Gain or loss',
    align: 'end',
    narrow: 'start',
    label: true,
    cell: ({ gain }) => <Money value={gain} sign="always" tone="result" />,
  },
]

const lotColumns: readonly Column<GainLot>[] = [
  { key: 'strategy', header: 'Strategy', narrow: 'line', cell: ({ strategy }) => strategy },
  {
    key: 'units',
    header: 'Units',
    align: 'end',
    narrow: 'start',
    label: true,
    cell: ({ units }) => <OwnAmount>{formatNumber(units, 6)}</OwnAmount>,
  },
  {
    key: 'bought',
    header: 'Bought',
    narrow: 'line',
    label: true,
    cell: (order) => <DayAndOrder {...order} />,
  },
  {
    key: 'cost',
    header: 'Cost',
    align: 'end',
    narrow: 'end',
    label: true,
    cell: ({ cost }) => <Money value={cost} />,
  },
]

const coinColumns: readonly Column<GainReport['paidIn'][number] & { way: string }>[] = [
  {
    key: 'way',
    header: 'Coin',
    narrow: 'line',
    cell: ({ way, coin, quantity }) => (
      <span>
        <span>{way}</span>: <OwnAmount>{quantity}</OwnAmount> {COIN_SYMBOLS[coin as Coin]}
      </span>
    ),
  },
  {
    key: 'at',
    header: 'On',
    narrow: 'start',
    label: true,
    cell: (order) => <DayAndOrder {...order} />,
  },
  {
    key: 'value',
    header: 'For',
    align: 'end',
    narrow: 'end',
    label: true,
    cell: ({ value }) => <Money value={value} />,
  },
]
