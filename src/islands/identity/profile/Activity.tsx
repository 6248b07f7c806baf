import { useState } from 'react'
import type { ActivityRow } from '../../../contract/identity/activity.ts'
import { describeBrowser } from '../../../contract/identity/browserNames.ts'
import { Button } from '../../../design/Button.tsx'
import { TableDate } from '../../../design/DateTime.tsx'
import { EmptyState } from '../../../design/EmptyState.tsx'
import { Modal } from '../../../design/Modal.tsx'
import { LoadFailure } from '../../../design/Notice.tsx'
import { Panel } from '../../../design/Panel.tsx'
import { Skeleton } from '../../../design/Skeleton.tsx'
import { type Column, Pagination, Table } from '../../../design/Table.tsx'
import type { Pages } from '../../lib/pages.ts'
import { ChoiceSwitch, usePreferences } from './ChoiceSwitch.tsx'
import styles from './Profile.module.css'

export function Activity({ activity }: { activity: Pages<ActivityRow> }) {
  const { data, reload, ...paging } = activity
  const preferences = usePreferences()
  const [isAsking, setAsking] = useState(false)
  const saveChoice = async (isOn: boolean) => {
    setAsking(false)
    await preferences.choose('activityLog', isOn)
    reload()
  }
  const isOff = preferences.state === 'ready' && !preferences.choices.activityLog
  return (
    <Panel title="Activity">
      {preferences.state === 'loading' && <Skeleton height="control" />}
      {preferences.state === 'failed' && <LoadFailure msg={preferences.msg} onRetry={preferences.load} />}
      {preferences.state === 'ready' && (
        <ChoiceSwitch
          label="Activity log"
          hint="Records sign-ins and changes to your account for 90 days."
          isOn={preferences.choices.activityLog}
          problem={preferences.problems.activityLog}
          // Turning the log off deletes it, so ask first.
          onChoose={(isOn) => (isOn ? void saveChoice(true) : setAsking(true))}
        />
      )}
      <Table
        caption="Activity"
        columns={COLUMNS}
        data={data}
        rowKey={(row) => row._id}
        emptyText={isOff ? <SwitchedOff /> : <NothingYet />}
        onRetry={reload}
        skeletonRows={3}
        footer={<Pagination {...paging} />}
      />
      <Modal open={isAsking} onClose={() => setAsking(false)} title="Turn the activity log off?">
        <p>
          We delete its entries and record no new ones, so you cannot see who signs in to your account. We
          tell you by mail that it was turned off.
        </p>
        <div className="row">
          <Button variant="danger" onClick={() => void saveChoice(false)}>
            Turn Off and Delete
          </Button>
          <Button onClick={() => setAsking(false)}>Keep It On</Button>
        </div>
      </Modal>
    </Panel>
  )
}

const COLUMNS: readonly Column<ActivityRow>[] = [
  {
    key: 'event',
    header: 'What',
    cell: ({ label, userAgent, ip }) => (
      <span>
        {label}
        <span className={styles.from}>
          <span>{describeBrowser(userAgent) ?? 'Unknown program'}</span>
          <span>{ip && ` · ${ip}`}</span>
        </span>
      </span>
    ),
  },
  { key: 'at', header: 'When', align: 'end', cell: ({ at }) => <TableDate at={at} /> },
]

function NothingYet() {
  return <EmptyState title="Nothing yet">Sign-ins and changes to your account appear here.</EmptyState>
}

function SwitchedOff() {
  return <EmptyState title="The log is off">Turn it on to see what happens in your account.</EmptyState>
}
