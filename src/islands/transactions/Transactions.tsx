import { useState } from 'react'
import {
  listTransactions,
  REQUEST_STATUSES,
  type RequestStatus,
  TRX_TYPES,
  type Transaction,
  type TrxType,
} from '../../contract/transactions.ts'
import { Button } from '../../design/Button.tsx'
import { ButtonLink } from '../../design/ButtonLink.tsx'
import { DateTime } from '../../design/DateTime.tsx'
import { EmptyState } from '../../design/EmptyState.tsx'
import { ErrorBoundary } from '../../design/ErrorBoundary.tsx'
import { Money } from '../../design/Money.tsx'
import { Pagination } from '../../design/Pagination.tsx'
import { Panel } from '../../design/Panel.tsx'
import { SelectField } from '../../design/SelectField.tsx'
import { Status } from '../../design/Status.tsx'
import { type Column, Table } from '../../design/Table.tsx'
import { TextField } from '../../design/TextField.tsx'
import { usePages } from '../lib/pages.ts'
import { TransactionDetails } from './TransactionDetails.tsx'
import styles from './Transactions.module.css'
import { capitalised, KIND_LABELS, routeWords } from './words.ts'

/** All deposits and withdrawals, newest first; each opens with what became of it. */
export function Transactions() {
  return (
    <ErrorBoundary home="/dashboard/overview">
      <Screen />
    </ErrorBoundary>
  )
}

interface Filter {
  kind: TrxType | ''
  status: RequestStatus | ''
  /** A day, `2026-01-31`; blank for any. */
  from: string
  to: string
}

const NO_FILTER: Filter = { kind: '', status: '', from: '', to: '' }

function Screen() {
  const [filter, setFilter] = useState(NO_FILTER)
  const [opened, setOpened] = useState<Transaction | null>(null)
  const { data, reload, ...paging } = usePages(listTransactions, filter)
  const isFiltered = Object.values(filter).some((value) => value !== '')
  return (
    <>
      <Panel>
        <Filters filter={filter} onChange={setFilter} />
        <Table
          caption="Transaction history"
          columns={columns}
          data={data}
          rowKey={(row) => row._id}
          emptyText={isFiltered ? <NoMatch onClear={() => setFilter(NO_FILTER)} /> : <Nothing />}
          onRetry={reload}
          onOpen={setOpened}
          footer={<Pagination {...paging} />}
        />
      </Panel>
      <TransactionDetails transaction={opened} onClose={() => setOpened(null)} onChanged={reload} />
    </>
  )
}

const columns: readonly Column<Transaction>[] = [
  {
    key: 'details',
    header: 'Details',
    cell: (row) => (
      <>
        {KIND_LABELS[row.trxType]}
        <span className={styles.route}>
          {routeWords(row)} · <span className={styles.ref}>{row.ref}</span>
        </span>
      </>
    ),
  },
  { key: 'amount', header: 'Amount', align: 'end', cell: (row) => <Money value={row.amount} /> },
  { key: 'status', header: 'Status', cell: (row) => <Status status={row.status} /> },
  { key: 'date', header: 'Date', cell: (row) => <DateTime at={row.createdAt} /> },
]

function Filters({ filter, onChange }: { filter: Filter; onChange: (next: Filter) => void }) {
  return (
    <search className={styles.filters} aria-label="Filter the history">
      <SelectField
        label="Kind"
        value={filter.kind}
        placeholder="All kinds"
        options={TRX_TYPES.map((value) => ({ value, label: KIND_LABELS[value] }))}
        onChange={({ target }) => onChange({ ...filter, kind: oneOf(TRX_TYPES, target.value) })}
      />
      <SelectField
        label="Status"
        value={filter.status}
        placeholder="Any status"
        options={REQUEST_STATUSES.map((value) => ({ value, label: capitalised(value) }))}
        onChange={({ target }) => onChange({ ...filter, status: oneOf(REQUEST_STATUSES, target.value) })}
      />
      <TextField
        label="From"
        type="date"
        value={filter.from}
        max={filter.to}
        onChange={({ target }) => onChange({ ...filter, from: target.value })}
      />
      <TextField
        label="To"
        type="date"
        value={filter.to}
        min={filter.from}
        onChange={({ target }) => onChange({ ...filter, to: target.value })}
      />
    </search>
  )
}

function oneOf<T extends string>(words: readonly T[], value: string): T | '' {
  return words.find((word) => word === value) ?? ''
}

function Nothing() {
  return (
    <EmptyState
      title="You currently do not have any transaction history"
      action={<ButtonLink href="/dashboard/deposit">Deposit</ButtonLink>}
    />
  )
}

function NoMatch({ onClear }: { onClear: () => void }) {
  return (
    <EmptyState
      title="No transaction is of this kind, status and time"
      action={<Button onClick={onClear}>Show all</Button>}
    />
  )
}
