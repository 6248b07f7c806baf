import {
  ENTRY_WORDS,
  type ExplainedFigure,
  type LedgerEntry,
  listEntries,
} from '../../contract/money/statements.ts'
import { listTransactions, type Transaction } from '../../contract/money/transactions.ts'
import { TableDate } from '../../design/DateTime.tsx'
import { Money } from '../../design/Money.tsx'
import { Status } from '../../design/Status.tsx'
import { type Column, Pagination, Table } from '../../design/Table.tsx'
import { usePages } from '../lib/pages.ts'
import { getStatusLabel } from '../money/transactions/words.ts'
import styles from './FigureExplained.module.css'
import type { Figures, TileFigure } from './figures.ts'

export function FigureExplained({ figure, figures }: { figure: TileFigure; figures: Figures }) {
  if (figure === 'totalBalance') return <TotalBalance figures={figures} />
  if (figure === 'pendingDeposits') return <PendingDeposits total={figures.pendingDeposits} />
  return <Entries figure={figure} total={figures[figure]} />
}

function TotalBalance({ figures }: { figures: Figures }) {
  const { profits, deposits, bonus, withdrawals, totalBalance } = figures
  const { available, undone, pendingWithdrawals, allocating, invested, unrealised, owed } = figures
  return (
    <div className={styles.ways}>
      <Sum
        title="Where it came from"
        terms={[
          ['Total Profit', profits],
          ['Total Deposits', deposits],
          ['Bonus', bonus],
          ['Total Withdrawals', -withdrawals],
        ]}
        total={totalBalance}
      />
      <Sum
        title="Where it is"
        terms={[
          ['Available', available],
          ...(undone > 0 ? [['Frozen: its payment left its chain', undone] as const] : []),
          ['Held for withdrawals', pendingWithdrawals],
          ['Orders waiting', allocating],
          ['In strategies, at cost', invested],
          ['Unrealised gain or loss', unrealised],
          ['Owed', -owed],
        ]}
        total={totalBalance}
      />
      <p className="soft small">
        Both ways give the same number, because every entry of your books has two sides. Pending deposits
        count once they are credited.
      </p>
    </div>
  )
}

interface SumProps {
  title: string
  terms: readonly (readonly [label: string, amount: number])[]
  total: number
}

function Sum({ title, terms, total }: SumProps) {
  return (
    <section>
      <h3 className={styles.title}>{title}</h3>
      <dl className={styles.sum}>
        {[...terms, ['Total Balance', total] as const].map(([label, amount]) => (
          <div key={label}>
            <dt>{label}</dt>
            <dd>
              <Money value={amount === 0 ? 0 : amount} />
            </dd>
          </div>
        ))}
      </dl>
    </section>
  )
}

function Entries({ figure, total }: { figure: ExplainedFigure; total: number }) {
  const { data, reload, ...paging } = usePages(listEntries, { figure })
  return (
    <>
      <Total value={total} isWhole={!paging.hasMore} />
      <Table
        caption="Entries of your books"
        columns={entryColumns}
        data={data}
        rowKey={({ _id }) => _id}
        emptyText="No entry yet, so it is zero"
        onRetry={reload}
        footer={<Pagination {...paging} />}
      />
    </>
  )
}

const entryColumns: readonly Column<LedgerEntry>[] = [
  {
    key: 'entry',
    header: 'Entry',
    cell: ({ code, ref }) => (
      <span>
        {ENTRY_WORDS[code]}{' '}
        <span translate="no" className={styles.ref}>
          {ref}
        </span>
      </span>
    ),
  },
  { key: 'at', header: 'Day', cell: ({ at }) => <TableDate at={at} show="date" /> },
  {
    key: 'change',
    header: 'Change',
    align: 'end',
    cell: ({ change }) => <Money value={change} sign="always" />,
  },
]

function PendingDeposits({ total }: { total: number }) {
  const { data, reload, ...paging } = usePages(listTransactions, { kind: 'deposit', status: 'pending' })
  return (
    <>
      <Total value={total} isWhole={!paging.hasMore} />
      <Table
        caption="Pending deposits"
        columns={depositColumns}
        data={data}
        rowKey={({ _id }) => _id}
        emptyText="No deposit is pending, so it is zero"
        onRetry={reload}
        footer={<Pagination {...paging} />}
      />
    </>
  )
}

const depositColumns: readonly Column<Transaction>[] = [
  { key: 'ref', header: 'Deposit', cell: ({ ref }) => ref },
  { key: 'at', header: 'Asked', cell: ({ createdAt }) => <TableDate at={createdAt} show="date" /> },
  {
    key: 'status',
    header: 'Status',
    cell: (deposit) => <Status status={deposit.status} label={getStatusLabel(deposit)} />,
  },
  {
    key: 'amount',
    header: 'Amount',
    align: 'end',
    cell: ({ amount }) => <Money value={amount} sign="always" />,
  },
]

function Total({ value, isWhole }: { value: number; isWhole: boolean }) {
  return (
    <p>
      <strong>
        <Money value={value} />
      </strong>
      <span>
        {isWhole ? ', the sum of all of these:' : ', the sum of all of these and of those further down:'}
      </span>
    </p>
  )
}
