import {
  BOOK_ACCOUNTS,
  listInvestorEntries,
  listInvestorRequests,
  type OperatorEntry,
} from '../../../contract/console/investorFile.ts'
import { isolate } from '../../../contract/isolate.ts'
import { ENTRY_WORDS } from '../../../contract/money/statements.ts'
import {
  KIND_LABELS,
  REQUEST_STATUSES,
  TRX_TYPES,
  type Transaction,
} from '../../../contract/money/transactions.ts'
import { TableDate } from '../../../design/DateTime.tsx'
import { Money } from '../../../design/Money.tsx'
import { Panel } from '../../../design/Panel.tsx'
import { SelectField } from '../../../design/SelectField.tsx'
import { Status } from '../../../design/Status.tsx'
import type { Column } from '../../../design/Table.tsx'
import { Pagination, Table } from '../../../design/Table.tsx'
import { callBlob } from '../../lib/api.ts'
import { usePages, usePreviousRows } from '../../lib/pages.ts'
import { SaveCsv } from '../../lib/SaveCsv.tsx'
import { describeRoute, toCapitalised } from '../../money/transactions/words.ts'
import { NoWrap } from '../cases/columns.tsx'
import { StatusFilter } from '../cases/QueueView.tsx'
import { TablePanel } from '../cases/TablePanel.tsx'
import { useAddress } from '../cases/useAddress.ts'
import type { PartProps } from './InvestorPage.tsx'
import styles from './Investors.module.css'
import { ACCOUNT_WORDS, buildCaseHref } from './words.ts'

/** The investor's ledger entries, each with its cause. */
export function Ledger({ investor }: PartProps) {
  const [requested, setAccount] = useAddress('entries', '')
  const account = BOOK_ACCOUNTS.find((candidate) => candidate === requested) ?? ''
  const params = { id: investor._id }
  const { data, reload, ...more } = usePages(listInvestorEntries, { account }, params)
  return (
    <Panel
      title="Ledger"
      actions={
        <SaveCsv
          label="Save all as CSV"
          size="small"
          buildName={() => `entries-${investor._id}`}
          load={() => callBlob(listInvestorEntries, { params, query: { format: 'csv' }, quiet: false })}
        />
      }
    >
      <StatusFilter
        label="Ledger account"
        filters={[
          { value: '', label: 'All' },
          ...BOOK_ACCOUNTS.map((value) => ({ value, label: ACCOUNT_WORDS[value] })),
        ]}
        value={account}
        onChange={setAccount}
      />
      <Table
        caption={account === '' ? 'Ledger entries' : `Entries of the account ${ACCOUNT_WORDS[account]}`}
        columns={COLUMNS}
        data={usePreviousRows(data)}
        rowKey={({ _id }) => _id}
        emptyText={account === '' ? 'No entries yet.' : 'No entries in this account.'}
        onRetry={reload}
        footer={<Pagination {...more} />}
      />
      <p className="small soft">Each export is recorded in the audit log.</p>
    </Panel>
  )
}

const COLUMNS: readonly Column<OperatorEntry>[] = [
  {
    key: 'entry',
    header: 'Entry',
    lines: 2,
    cell: (entry) => (
      <span>
        {ENTRY_WORDS[entry.code]}
        <span className={styles.cause}>
          <Cause entry={entry} />
        </span>
      </span>
    ),
  },
  {
    key: 'moved',
    header: 'Moved',
    cell: ({ from, to }) => `${describeAccountKind(from)} → ${describeAccountKind(to)}`,
  },
  { key: 'by', header: 'Posted by', cell: ({ by }) => by ?? 'The system' },
  { key: 'at', header: 'When', cell: ({ at }) => <TableDate at={at} /> },
  { key: 'amount', header: 'Amount', align: 'end', cell: ({ amount }) => <Money value={amount} /> },
]

function Cause({ entry }: { entry: OperatorEntry }) {
  const { cause, causeId, ref, reason } = entry
  if (cause === 'referral') return <span>Referral bonus</span>
  if (cause === 'order') return <span>{`Order ${ref ?? ''}`}</span>
  return (
    <>
      <a href={buildCaseHref(cause, causeId)}>{ref ?? 'The proposal'}</a>
      <span>{reason !== null && `: ${isolate(reason)}`}</span>
    </>
  )
}

function describeAccountKind(kind: string): string {
  return Object.hasOwn(ACCOUNT_WORDS, kind) ? ACCOUNT_WORDS[kind as keyof typeof ACCOUNT_WORDS] : kind
}

/** The investor's deposits and withdrawals, with links to their cases. */
export function Requests({ investor }: PartProps) {
  const [requestedKind, setKind] = useAddress('kind', '')
  const [requestedStatus, setStatus] = useAddress('status', '')
  const kind = TRX_TYPES.find((type) => type === requestedKind) ?? ''
  const status = REQUEST_STATUSES.find((candidate) => candidate === requestedStatus) ?? ''
  const { data, reload, ...more } = usePages(listInvestorRequests, { kind, status }, { id: investor._id })
  return (
    <TablePanel
      title="Requests"
      lead={
        <search className="row" aria-label="Filter requests">
          <SelectField
            label="Kind"
            value={kind}
            placeholder="All kinds"
            options={TRX_TYPES.map((value) => ({ value, label: KIND_LABELS[value] }))}
            onChange={({ target }) => setKind(target.value)}
          />
          <SelectField
            label="Status"
            value={status}
            placeholder="Any status"
            options={REQUEST_STATUSES.map((value) => ({ value, label: toCapitalised(value) }))}
            onChange={({ target }) => setStatus(target.value)}
          />
        </search>
      }
      columns={REQUEST_COLUMNS}
      data={usePreviousRows(data)}
      rowKey={({ _id }) => _id}
      hrefOf={({ _id, trxType }) => buildCaseHref(trxType, _id)}
      emptyText={kind + status === '' ? 'No requests yet.' : 'No request matches these filters.'}
      onRetry={reload}
      footer={<Pagination {...more} />}
    />
  )
}

const REQUEST_COLUMNS: readonly Column<Transaction>[] = [
  {
    key: 'ref',
    header: 'Reference',
    cell: ({ ref }) => (
      <NoWrap>
        <span translate="no">{ref}</span>
      </NoWrap>
    ),
  },
  { key: 'kind', header: 'Kind', cell: ({ trxType }) => KIND_LABELS[trxType] },
  { key: 'route', header: 'By', cell: describeRoute },
  { key: 'at', header: 'Filed', cell: ({ createdAt }) => <TableDate at={createdAt} /> },
  { key: 'status', header: 'Status', cell: ({ status }) => <Status status={status} /> },
  { key: 'amount', header: 'Amount', align: 'end', cell: ({ amount }) => <Money value={amount} /> },
]
