import type { ReactNode } from 'react'
import { isolate } from '../../../contract/isolate.ts'
import {
  ENTRY_WORDS,
  type Statement,
  type StatementBalances,
  type StatementEntry,
} from '../../../contract/money/statements.ts'
import { joinClasses } from '../../../design/classes.ts'
import { DateTime, TableDate } from '../../../design/DateTime.tsx'
import { Money } from '../../../design/Money.tsx'
import { Panel } from '../../../design/Panel.tsx'
import { Skeleton } from '../../../design/Skeleton.tsx'
import { type Column, Table } from '../../../design/Table.tsx'
import { SIMULATED_NOTICE, site } from '../../../site.ts'
import styles from './Statement.module.css'
import { buildSummary } from './summary.ts'

/** A statement on screen and on paper. `statement` is null while it is loading. */
export function StatementSheet({ statement }: { statement: Statement | null }) {
  const summary = statement ? buildSummary(statement) : undefined
  const closing = statement?.closing
  return (
    <div className={joinClasses(styles.sheet, site.mode === 'simulated' && styles.simulated)}>
      <Panel>
        <header className={styles.head}>
          <p className={styles.whose}>
            {statement ? `${isolate(statement.name)}, at ${site.brand}` : <Skeleton width="long" />}
          </p>
          <p className="soft">{statement ? <Days statement={statement} /> : <Skeleton width="long" />}</p>
          <p className="soft">Times are in UTC, amounts in USD.</p>
          {site.mode === 'simulated' && <p className={styles.onPaper}>{SIMULATED_NOTICE}</p>}
        </header>
        <dl className={styles.sums}>
          <Sum label={<span>Opening Total Balance{on(statement?.from)}</span>} value={summary?.opening} />
          <Sum label="Came in" hint="deposits, bonuses" value={summary?.cameIn} signed />
          <Sum label="Went out" hint="withdrawals" value={summary?.wentOut} signed />
          <Sum label="Strategies made" hint="after fees" value={summary?.made} signed />
          <Sum label={<span>Closing Total Balance{on(statement?.to)}</span>} value={summary?.closing} />
        </dl>
        <h2 className={styles.title}>Closing Total Balance by part</h2>
        <dl className={styles.parts}>
          {CLOSING_PARTS.map(([label, part]) => (
            <Sum key={label} label={label} value={closing && closing[part] * (part === 'owed' ? -1 : 1)} />
          ))}
        </dl>
        <h2 className={styles.title}>Every entry</h2>
        <p className="soft small">Balances after each entry count strategies at cost.</p>
        <Table
          caption="Entries of the statement"
          columns={columns}
          data={statement ? { state: 'ready', rows: statement.entries } : { state: 'loading' }}
          rowKey={({ _id }) => _id}
          emptyText="No entries in this period"
        />
      </Panel>
    </div>
  )
}

const CLOSING_PARTS = [
  ['Available', 'available'],
  ['Held for withdrawals', 'held'],
  ['Orders waiting', 'allocating'],
  ['In strategies, at cost', 'invested'],
  ['Unrealised gain or loss', 'unrealised'],
  ['Owed', 'owed'],
] as const satisfies readonly (readonly [string, keyof StatementBalances])[]

function Days({ statement: { from, to } }: { statement: Statement }) {
  return (
    <span>
      <span>{from === null ? 'From the beginning' : <DateTime at={from} show="date" timeZone="UTC" />}</span>{' '}
      to <DateTime at={to} show="date" timeZone="UTC" />
    </span>
  )
}

const columns: readonly Column<StatementEntry>[] = [
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
        {ref !== null &&
          (/^(?:DEP|WDR)-/.test(ref) ? (
            <a className={styles.ref} href={`/dashboard/transaction-history?open=${ref}`}>
              {ref}
            </a>
          ) : (
            <span className={styles.ref}>{ref}</span>
          ))}
      </span>
    ),
  },
  buildAmountColumn('amount', 'Amount', 'start', ({ amount }) => <Money value={amount} />),
  buildAmountColumn('change', 'Change', 'end', ({ change }) =>
    change === 0 ? 'none' : <Money value={change} sign="always" />,
  ),
  buildAmountColumn('available', 'Available', 'start', ({ available }) => <Money value={available} />),
  buildAmountColumn('balance', 'Balance', 'end', ({ balance }) => <Money value={balance} />),
]

function buildAmountColumn(
  key: string,
  header: string,
  narrow: 'start' | 'end',
  cell: (entry: StatementEntry) => ReactNode,
): Column<StatementEntry> {
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
}

function Sum({ label, hint, value, signed }: SumProps) {
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
          <Money value={value === 0 ? 0 : value} {...(signed && { sign: 'always' as const })} />
        )}
      </dd>
    </div>
  )
}
