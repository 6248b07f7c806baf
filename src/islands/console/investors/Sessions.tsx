import { listInvestorSessions, type OperatorSession } from '../../../contract/console/investorFile.ts'
import { browserInWords } from '../../../contract/identity/browserNames.ts'
import { DateTime } from '../../../design/DateTime.tsx'
import { Pagination } from '../../../design/Pagination.tsx'
import { Panel } from '../../../design/Panel.tsx'
import { Status } from '../../../design/Status.tsx'
import { type Column, Table } from '../../../design/Table.tsx'
import { usePages } from '../../lib/pages.ts'
import type { PartProps } from './InvestorShown.tsx'

/** Where the investor signed in, from what and when. They are ended on the summary. */
export function Sessions({ investor }: PartProps) {
  const { data, reload, ...more } = usePages(listInvestorSessions, {}, { id: investor._id })
  return (
    <Panel title="Sessions">
      <p className="small soft">
        Each sign-in opens one. Ended ones are kept for 30 days. All of them are ended at once under Summary.
      </p>
      <Table
        caption="Sessions"
        columns={COLUMNS}
        data={data}
        rowKey={({ _id }) => _id}
        emptyText="The investor has not signed in within the last 30 days."
        onRetry={reload}
        footer={<Pagination {...more} />}
      />
    </Panel>
  )
}

const COLUMNS: readonly Column<OperatorSession>[] = [
  {
    key: 'device',
    header: 'Device',
    cell: ({ userAgent }) => browserInWords(userAgent) ?? 'Unknown program',
  },
  { key: 'from', header: 'From', cell: ({ ip }) => ip ?? 'Not known' },
  { key: 'opened', header: 'Opened', cell: ({ createdAt }) => <DateTime at={createdAt} /> },
  { key: 'used', header: 'Last used', cell: ({ lastSeenAt }) => <DateTime at={lastSeenAt} /> },
  {
    key: 'known',
    header: 'Withdrawals',
    cell: ({ isKnown }) => (isKnown ? 'Confirmed one from here' : 'None confirmed'),
  },
  {
    key: 'state',
    header: 'State',
    cell: ({ isLive, endedAt }) =>
      isLive ? (
        <Status status="active" label="Live" />
      ) : (
        <>
          Ended <DateTime at={endedAt} />
        </>
      ),
  },
]
