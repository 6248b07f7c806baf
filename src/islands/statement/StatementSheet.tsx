import { usdOf } from '../../contract/money.ts'
import { ENTRY_WORDS, type Statement, type StatementEntry } from '../../contract/statements.ts'
import { DateTime } from '../../design/DateTime.tsx'
import { Money } from '../../design/Money.tsx'
import { Panel } from '../../design/Panel.tsx'
import { type Column, Table } from '../../design/Table.tsx'
import { SIMULATED_NOTICE, site } from '../../site.ts'
import styles from './Statement.module.css'

/** A statement as it is read and printed: whose, of when, what it opened with, each entry, what it closed with. */
export function StatementSheet({ statement }: { statement: Statement }) {
  const { from, to, name, opening, entries, closing } = statement
  return (
    <Panel>
      <header className={styles.head}>
        <p className={styles.whose}>
          {name}, at {site.brand}
        </p>
        <p className="soft">
          {from === null ? 'From the beginning' : <DateTime at={from} show="date" timeZone="UTC" />} to{' '}
          <DateTime at={to} show="date" timeZone="UTC" />. Days and times are UTC, amounts USD.
        </p>
        {site.mode === 'simulated' && <p className={styles.simulated}>{SIMULATED_NOTICE}</p>}
      </header>
      <dl className={styles.sums}>
        <Sum label="Opening balance" value={opening.balance} />
        <Sum label="Change" value={usdOf(centsOf(closing.balance) - centsOf(opening.balance))} signed />
        <Sum label="Closing balance" value={closing.balance} />
        <Sum label="of which held for withdrawals" value={closing.held} />
      </dl>
      <Table
        caption="Entries of the statement"
        columns={columns}
        data={{ state: 'ready', rows: entries }}
        rowKey={({ _id }) => _id}
        emptyText="Nothing was moved in this period"
      />
    </Panel>
  )
}

const columns: readonly Column<StatementEntry>[] = [
  { key: 'at', header: 'Time', cell: ({ at }) => <DateTime at={at} timeZone="UTC" /> },
  {
    key: 'entry',
    header: 'Entry',
    cell: ({ code, ref }) => (
      <>
        {ENTRY_WORDS[code]} {ref !== null && <span className={styles.ref}>{ref}</span>}
      </>
    ),
  },
  { key: 'amount', header: 'Amount', align: 'end', cell: ({ amount }) => <Money value={amount} /> },
  {
    key: 'change',
    header: 'Change',
    align: 'end',
    cell: ({ change }) => (change === 0 ? 'none' : <Money value={change} sign="always" />),
  },
  {
    key: 'available',
    header: 'Available',
    align: 'end',
    cell: ({ available }) => <Money value={available} />,
  },
  { key: 'balance', header: 'Balance', align: 'end', cell: ({ balance }) => <Money value={balance} /> },
]

// The API's numbers are exact to the cent; their difference is not.
function centsOf(usd: number): number {
  return Math.round(usd * 100)
}

function Sum({ label, value, signed = false }: { label: string; value: number; signed?: boolean }) {
  return (
    <div>
      <dt>{label}</dt>
      <dd>
        <Money value={value} {...(signed && { sign: 'always' as const })} />
      </dd>
    </div>
  )
}
