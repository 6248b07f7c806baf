import type { ReactNode } from 'react'
import {
  ENTRY_WORDS,
  type Statement,
  type StatementBalances,
  type StatementPosition,
} from '../../../contract/money/statements.ts'
import { toCents } from '../../../contract/money.ts'
import { formatNumber } from '../../../contract/numbers.ts'
import { joinClasses } from '../../../design/classes.ts'
import { DateTime, TableDate } from '../../../design/DateTime.tsx'
import { Logo } from '../../../design/Logo.tsx'
import { Money, OwnAmount } from '../../../design/Money.tsx'
import { Panel } from '../../../design/Panel.tsx'
import { Skeleton } from '../../../design/Skeleton.tsx'
import { type Column, Table } from '../../../design/Table.tsx'
import { PRACTICE_NOTICE, site } from '../../../site.ts'
import styles from './Statement.module.css'
import { buildSummary, type CashEntry, listCashEntries } from './summary.ts'

/** A statement on screen and on paper: all values are at the prices of its end. `statement` is null while it is loading. */
export function StatementSheet({ statement }: { statement: Statement | null }) {
  const summary = statement ? buildSummary(statement) : undefined
  const closing = statement?.closing
  return (
    <div className={joinClasses(styles.sheet, site.mode === 'simulated' && styles.simulated)}>
      <Panel>
        <SheetHeader name={statement?.name}>
          <p className="soft">{statement ? <Days statement={statement} /> : <Skeleton width="long" />}</p>
        </SheetHeader>
        <dl className={styles.sums}>
          <Sum label={<span>Opening Total Balance{on(statement?.from)}</span>} value={summary?.opening} />
          <Sum label="Came in" hint="deposits, bonuses" value={summary?.cameIn} signed />
          <Sum label="Went out" hint="withdrawals" value={summary?.wentOut} signed />
          <Sum label="Strategies made" hint="after fees" value={summary?.made} isResult />
          <Sum label={<span>Closing Total Balance{on(statement?.to)}</span>} value={summary?.closing} />
        </dl>
        <h2 className={styles.title}>Closing Total Balance by part</h2>
        <dl className={styles.parts}>
          {CLOSING_PARTS.map(([label, computePart]) => (
            <Sum key={label} label={label} value={closing && computePart(closing)} />
          ))}
        </dl>
        {statement && statement.positions.length > 0 && (
          <>
            <h2 className={styles.title}>In strategies</h2>
            <Table
              caption="Units in strategies at the end"
              columns={positionColumns}
              data={{ state: 'ready', rows: statement.positions }}
              rowKey={({ strategy }) => strategy}
              emptyText=""
            />
          </>
        )}
        <h2 className={styles.title}>Every entry</h2>
        <p className="soft small">“Cash” is what the entry changed in your available money.</p>
        <Table
          caption="Entries of the statement"
          columns={columns}
          data={statement ? { state: 'ready', rows: listCashEntries(statement) } : { state: 'loading' }}
          rowKey={({ _id }) => _id}
          emptyText="No entries in this period"
        />
      </Panel>
    </div>
  )
}

/** Who issues a sheet, and for whom. `name` is undefined while it is loading. `children` name its period and rules. */
export function SheetHeader({ name, children }: { name: string | undefined; children: ReactNode }) {
  return (
    <header className={styles.head}>
      <Letterhead />
      <div>
        <p className={styles.whose}>{name === undefined ? <Skeleton width="medium" /> : <bdi>{name}</bdi>}</p>
        {children}
        <p className="soft">Times are in UTC, amounts in USD.</p>
      </div>
      {site.mode === 'simulated' && <p className={styles.onPaper}>{PRACTICE_NOTICE}</p>}
    </header>
  )
}

/** Who issues the statement. Details that the company has not provided are left out. */
function Letterhead() {
  const { name, registration, address } = site.company
  return (
    <div className={styles.letterhead}>
      <Logo name={site.brand} />
      {[name, registration, address, site.supportEmail].map(
        (line) => line !== null && <p key={line}>{line}</p>,
      )}
    </div>
  )
}

/** The parts of the Total Balance, all at the same prices. */
const CLOSING_PARTS: readonly (readonly [label: string, compute: (closing: StatementBalances) => number])[] =
  [
    ['Available', ({ available }) => available],
    ['Held for withdrawals', ({ held }) => held],
    ['Orders waiting', ({ allocating }) => allocating],
    ['In strategies', ({ invested, unrealised }) => (toCents(invested) + toCents(unrealised)) / 100],
    ['Owed', ({ owed }) => -owed],
  ]

function Days({ statement: { from, to } }: { statement: Statement }) {
  return (
    <span>
      <span>{from === null ? 'From the beginning' : <DateTime at={from} show="date" timeZone="UTC" />}</span>{' '}
      to <DateTime at={to} show="date" timeZone="UTC" />
    </span>
  )
}

const positionColumns: readonly Column<StatementPosition>[] = [
  { key: 'name', header: 'Strategy', narrow: 'line', cell: ({ name }) => name },
  buildAmountColumn('units', 'Units', 'start', ({ units }) => (
    <OwnAmount>{formatNumber(units, 6)}</OwnAmount>
  )),
  buildAmountColumn('price', 'Unit price', 'end', ({ unitPrice }) =>
    unitPrice === null ? '–' : formatUnitPrice(unitPrice),
  ),
  buildAmountColumn('value', 'Value', 'start', ({ value }) => <Money value={value} />),
]

/** With all of its digits, so that units times price is the value. */
function formatUnitPrice(usd: number): string {
  return `$${usd.toLocaleString('en-US', { minimumFractionDigits: 2, maximumFractionDigits: 6 })}`
}

const columns: readonly Column<CashEntry>[] = [
  {
    key: 'at',
    header: 'Time',
    usually: 'medium',
    narrow: 'line',
    cell: ({ at }) => (
      <span className={styles.time}>
        <TableDate at={at} timeZone="UTC" />
      </span>
    ),
  },
  {
    key: 'entry',
    header: 'Entry',
    usually: 'long',
    narrow: 'line',
    cell: ({ code, ref }) => (
      <span>
        {ENTRY_WORDS[code]}{' '}
        {ref !== null && (
          <a translate="no" className={styles.ref} href={`/dashboard/transaction-history?open=${ref}`}>
            {ref}
          </a>
        )}
      </span>
    ),
  },
  buildAmountColumn('amount', 'Amount', 'start', ({ amount }) => <Money value={amount} />),
  buildAmountColumn('cash', 'Cash', 'end', ({ cash }) =>
    cash === 0 ? '–' : <Money value={cash} sign="always" />,
  ),
  buildAmountColumn('available', 'Available', 'start', ({ available }) => <Money value={available} />),
]

function buildAmountColumn<Row>(
  key: string,
  header: string,
  narrow: 'start' | 'end',
  cell: (row: Row) => ReactNode,
): Column<Row> {
  return { key, header, align: 'end', narrow, label: true, cell }
}

/** ", Jan 31, 2026". Empty while loading, or if the statement starts at the beginning. */
function on(at: string | null | undefined): ReactNode {
  return (
    at && (
      <span>
        , <DateTime at={at} show="date" timeZone="UTC" />
      </span>
    )
  )
}

interface SumProps {
  label: ReactNode
  hint?: string
  value: number | undefined
  signed?: boolean
  /** A gain or a loss. */
  isResult?: boolean
}

export function Sum({ label, hint, value, signed, isResult }: SumProps) {
  return (
    <div>
      <dt>
        {label}
        {hint && <span className={styles.hint}> {hint}</span>}
      </dt>
      <dd>
        {value === undefined ? (
          <Skeleton width="medium" />
        ) : (
          <Money
            value={value === 0 ? 0 : value}
            {...((signed || isResult) && { sign: 'always' as const })}
            {...(isResult && { tone: 'result' as const })}
          />
        )}
      </dd>
    </div>
  )
}
