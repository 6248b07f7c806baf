import { listInvestorActivity } from '../../../contract/console/investorFile.ts'
import type { ActivityRow } from '../../../contract/identity/activity.ts'
import { browserInWords } from '../../../contract/identity/browserNames.ts'
import { DateTime } from '../../../design/DateTime.tsx'
import { Pagination } from '../../../design/Pagination.tsx'
import { Panel } from '../../../design/Panel.tsx'
import { type Column, Table } from '../../../design/Table.tsx'
import { ACTIVITY_WORDS } from '../../identity/profile/activityWords.ts'
import { usePages } from '../../lib/pages.ts'
import type { PartProps } from './InvestorShown.tsx'

/** What happened on the account in the last 90 days, as the investor sees it too. */
export function Activity({ investor }: PartProps) {
  const { data, reload, ...more } = usePages(listInvestorActivity, {}, { id: investor._id })
  return (
    <Panel title="Activity">
      <p className="small soft">
        Sign-ins, failed ones too, and changes to the account in the last 90 days, as the investor sees them.
        What operators did about it, and who looked, is on{' '}
        <a href={`/operator/audit-log?${new URLSearchParams({ subject: investor._id })}`}>the audit log</a>.
      </p>
      <Table
        caption="Activity"
        columns={COLUMNS}
        data={data}
        rowKey={({ _id }) => _id}
        emptyText="Nothing in the last 90 days, or the investor keeps no activity log."
        onRetry={reload}
        footer={<Pagination {...more} />}
      />
    </Panel>
  )
}

const COLUMNS: readonly Column<ActivityRow>[] = [
  { key: 'event', header: 'What', cell: ({ event }) => ACTIVITY_WORDS[event] },
  {
    key: 'device',
    header: 'Device',
    cell: ({ userAgent }) => browserInWords(userAgent) ?? 'Unknown program',
  },
  { key: 'from', header: 'From', cell: ({ ip }) => ip ?? 'Not known' },
  { key: 'at', header: 'When', cell: ({ at }) => <DateTime at={at} /> },
]
