import {
  listInvestorActivity,
  listInvestorSessions,
  type OperatorSession,
} from '../../../contract/console/investorFile.ts'
import type { ActivityRow } from '../../../contract/identity/activity.ts'
import { describeBrowser } from '../../../contract/identity/browserNames.ts'
import { TableDate } from '../../../design/DateTime.tsx'
import { Status } from '../../../design/Status.tsx'
import type { Column } from '../../../design/Table.tsx'
import { Pagination } from '../../../design/Table.tsx'
import { usePages } from '../../lib/pages.ts'
import { TablePanel } from '../cases/TablePanel.tsx'
import type { PartProps } from './InvestorPage.tsx'

const DEVICE_COLUMNS: readonly Column<Pick<ActivityRow, 'userAgent' | 'ip'>>[] = [
  {
    key: 'device',
    header: 'Device',
    cell: ({ userAgent }) => describeBrowser(userAgent) ?? 'Unknown device',
  },
  { key: 'from', header: 'Network address', cell: ({ ip }) => ip ?? 'Unknown' },
]

/** The account's activity of the last 90 days, as the investor sees it. */
export function Activity({ investor }: PartProps) {
  const { data, reload, ...more } = usePages(listInvestorActivity, {}, { id: investor._id })
  return (
    <TablePanel
      title="Activity"
      lead={
        <p className="small soft">
          Sign-ins (also failed ones) and changes of the account in the last 90 days, as the investor sees
          them. What operators did, and who viewed the account, is in{' '}
          <a href={`/operator/audit-log?${new URLSearchParams({ subject: investor._id })}`}>the audit log</a>.
        </p>
      }
      columns={ACTIVITY_COLUMNS}
      data={data}
      rowKey={({ _id }) => _id}
      emptyText="No activity in the last 90 days, or the investor turned the activity log off."
      onRetry={reload}
      footer={<Pagination {...more} />}
    />
  )
}

const ACTIVITY_COLUMNS: readonly Column<ActivityRow>[] = [
  { key: 'event', header: 'Event', cell: ({ label }) => label },
  ...DEVICE_COLUMNS,
  { key: 'at', header: 'When', cell: ({ at }) => <TableDate at={at} /> },
]

/** The investor's sessions. The summary has the button that ends them. */
export function Sessions({ investor }: PartProps) {
  const { data, reload, ...more } = usePages(listInvestorSessions, {}, { id: investor._id })
  return (
    <TablePanel
      title="Sessions"
      lead={
        <p className="small soft">
          Each sign-in starts a session. Ended sessions are kept for 30 days. You can end all sessions under
          Summary.
        </p>
      }
      columns={SESSION_COLUMNS}
      data={data}
      rowKey={({ _id }) => _id}
      emptyText="The investor has not signed in within the last 30 days."
      onRetry={reload}
      footer={<Pagination {...more} />}
    />
  )
}

const SESSION_COLUMNS: readonly Column<OperatorSession>[] = [
  ...DEVICE_COLUMNS,
  { key: 'opened', header: 'Opened', cell: ({ createdAt }) => <TableDate at={createdAt} /> },
  { key: 'used', header: 'Last used', cell: ({ lastSeenAt }) => <TableDate at={lastSeenAt} /> },
  {
    key: 'known',
    header: 'Withdrawals',
    cell: ({ isKnown }) => (isKnown ? 'Confirmed here before' : 'Never confirmed here'),
  },
  {
    key: 'state',
    header: 'State',
    cell: ({ isLive, endedAt }) =>
      isLive ? (
        <Status status="active" label="Live" />
      ) : (
        <span>
          Ended <TableDate at={endedAt} />
        </span>
      ),
  },
]
