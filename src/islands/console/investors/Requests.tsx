import { listInvestorRequests } from '../../../contract/console/investorFile.ts'
import { REQUEST_STATUSES, TRX_TYPES, type Transaction } from '../../../contract/money/transactions.ts'
import { DateTime } from '../../../design/DateTime.tsx'
import { Money } from '../../../design/Money.tsx'
import { Pagination } from '../../../design/Pagination.tsx'
import { SelectField } from '../../../design/SelectField.tsx'
import { Status } from '../../../design/Status.tsx'
import type { Column } from '../../../design/Table.tsx'
import { usePages, usePreviousRows } from '../../lib/pages.ts'
import { capitalised, KIND_LABELS, routeWords } from '../../money/transactions/words.ts'
import { NoWrap } from '../cases/columns.tsx'
import { TablePanel } from '../cases/TablePanel.tsx'
import { useAddress } from '../cases/useAddress.ts'
import type { PartProps } from './InvestorPage.tsx'
import { caseHref } from './words.ts'

/** The investor's deposits and withdrawals, each leading to its case in the queue. */
export function Requests({ investor }: PartProps) {
  const [wantedKind, setKind] = useAddress('kind', '')
  const [wantedStatus, setStatus] = useAddress('status', '')
  const kind = TRX_TYPES.find((each) => each === wantedKind) ?? ''
  const status = REQUEST_STATUSES.find((each) => each === wantedStatus) ?? ''
  const { data, reload, ...more } = usePages(listInvestorRequests, { kind, status }, { id: investor._id })
  return (
    <TablePanel
      title="Requests"
      lead={
        <search className="row" aria-label="Narrow the requests">
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
            options={REQUEST_STATUSES.map((value) => ({ value, label: capitalised(value) }))}
            onChange={({ target }) => setStatus(target.value)}
          />
        </search>
      }
      columns={COLUMNS}
      data={usePreviousRows(data)}
      rowKey={({ _id }) => _id}
      hrefOf={({ _id, trxType }) => caseHref(trxType, _id)}
      emptyText={kind + status === '' ? 'Nothing was ever asked for.' : 'No request is like that.'}
      onRetry={reload}
      footer={<Pagination {...more} />}
    />
  )
}

const COLUMNS: readonly Column<Transaction>[] = [
  { key: 'ref', header: 'Reference', cell: ({ ref }) => <NoWrap>{ref}</NoWrap> },
  { key: 'kind', header: 'Kind', cell: ({ trxType }) => KIND_LABELS[trxType] },
  { key: 'route', header: 'By', cell: routeWords },
  { key: 'at', header: 'Filed', cell: ({ createdAt }) => <DateTime at={createdAt} /> },
  { key: 'status', header: 'Status', cell: ({ status }) => <Status status={status} /> },
  { key: 'amount', header: 'Amount', align: 'end', cell: ({ amount }) => <Money value={amount} /> },
]
