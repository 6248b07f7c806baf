import { useState } from 'react'
import { getInvestorTold, type Told } from '../../../contract/console/investorFile.ts'
import { Button } from '../../../design/Button.tsx'
import { DateTime } from '../../../design/DateTime.tsx'
import { Facts } from '../../../design/Facts.tsx'
import { LoadFailure } from '../../../design/LoadFailure.tsx'
import { Panel } from '../../../design/Panel.tsx'
import { type Column, Table } from '../../../design/Table.tsx'
import { call } from '../../lib/api.ts'
import { useResource } from '../../lib/resource.ts'
import { NotificationContent } from '../../outreach/notifications/NotificationWindow.tsx'
import { CaseLoading } from '../cases/Case.tsx'
import { NoWrap } from '../cases/columns.tsx'
import { NeedsRole } from '../cases/NeedsRole.tsx'
import { OutcomeNotice } from '../cases/Outcome.tsx'
import { useOperator } from '../cases/useOperator.ts'
import type { PartProps } from './InvestorPage.tsx'
import { NotifyForm } from './NotifyForm.tsx'

/** The current notification, earlier ones and mails; and writing a new notification. */
export function Notifications({ investor }: PartProps) {
  const { can } = useOperator()
  const id = investor._id
  const told = useResource(`told ${id}`, () => call(getInvestorTold, { params: { id } }))
  const [isWriting, setWriting] = useState(false)
  const [isSent, setSent] = useState(false)
  const mayWrite = investor.closedAt === null && can('operator:investors.write')
  return (
    <div className="stack">
      <Panel title="Notification">
        {isSent && (
          <OutcomeNotice tone="success" text={`${investor.name} sees the notification on the overview.`} />
        )}
        {isWriting ? (
          <NotifyForm
            investor={investor}
            onCancel={() => setWriting(false)}
            onSent={() => {
              setWriting(false)
              setSent(true)
              told.reload()
            }}
          />
        ) : (
          <>
            {told.state === 'ready' && <CurrentNotification told={told.data} />}
            {mayWrite && (
              <div className="row">
                <Button
                  variant="primary"
                  onClick={() => {
                    setSent(false)
                    setWriting(true)
                  }}
                >
                  Write a notification
                </Button>
              </div>
            )}
            {investor.closedAt === null && <NeedsRole scope="operator:investors.write" />}
          </>
        )}
      </Panel>
      {told.state === 'loading' && <CaseLoading what="notifications" />}
      {told.state === 'failed' && <LoadFailure msg={told.msg} onRetry={told.reload} />}
      {told.state === 'ready' && (
        <>
          <Panel title="Shown so far">
            <Table
              caption="Notifications shown so far"
              columns={SENT}
              data={{ state: 'ready', rows: told.data.sent }}
              rowKey={({ at }) => at}
              emptyText="None yet."
            />
            <p className="small soft">Only the text of the one that stands is kept.</p>
          </Panel>
          <Panel title="Mails">
            <Table
              caption="Mails"
              columns={MAILS}
              data={{ state: 'ready', rows: told.data.mails }}
              rowKey={({ _id }) => _id}
              emptyText="None yet."
            />
            <p className="small soft">
              The newest hundred to the present e-mail address. Their texts are deleted once they are
              delivered.
            </p>
          </Panel>
        </>
      )}
    </div>
  )
}

function CurrentNotification({ told: { notification } }: { told: Told }) {
  if (notification === null) return <p className="soft">None stands.</p>
  const { title, content, persistent, seen, at } = notification
  return (
    <>
      <Facts
        facts={[
          { label: 'Title', value: title },
          { label: 'Shown since', value: <DateTime at={at} /> },
          {
            label: 'Seen',
            value: seen
              ? 'Yes, and put away'
              : persistent
                ? 'Comes again with each visit'
                : 'Not put away yet',
          },
        ]}
      />
      <NotificationContent content={content} />
    </>
  )
}

const SENT: readonly Column<Told['sent'][number]>[] = [
  { key: 'at', header: 'When', cell: ({ at }) => <DateTime at={at} /> },
  { key: 'by', header: 'By', cell: ({ by }) => by },
  {
    key: 'how',
    header: 'How',
    cell: ({ persistent }) => <NoWrap>{persistent ? 'Each visit' : 'Once'}</NoWrap>,
  },
]

const MAILS: readonly Column<Told['mails'][number]>[] = [
  { key: 'subject', header: 'Subject', cell: ({ subject }) => subject },
  { key: 'at', header: 'Written', cell: ({ at }) => <DateTime at={at} /> },
  {
    key: 'delivered',
    header: 'Delivered',
    cell: ({ deliveredAt }) => (deliveredAt === null ? 'Not yet' : <DateTime at={deliveredAt} />),
  },
]
