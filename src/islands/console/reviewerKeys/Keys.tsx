import { useState } from 'react'
import { listReviewerKeys, type ReviewerKey } from '../../../contract/console/reviewerKeys.ts'
import { listRecipients } from '../../../contract/identity/kyc.ts'
import { DateTime } from '../../../design/DateTime.tsx'
import { Modal } from '../../../design/Modal.tsx'
import { Panel } from '../../../design/Panel.tsx'
import { Status } from '../../../design/Status.tsx'
import { type Column, Table } from '../../../design/Table.tsx'
import { call } from '../../lib/api.ts'
import { useResource } from '../../lib/resource.ts'
import { OneLine } from '../cases/OneLine.tsx'
import { OperatorScreen } from '../cases/OperatorScreen.tsx'
import { KeyCase } from './KeyCase.tsx'
import { Standing } from './KeysStanding.tsx'
import { MakeKey } from './MakeKey.tsx'
import { Outdated } from './Outdated.tsx'
import { OwnKey } from './OwnKey.tsx'
import { RecoveryKey } from './RecoveryKey.tsx'
import { KEY_STATUS } from './words.ts'

/** /operator/keys: whose keys open identity documents. */
export function Keys() {
  return <OperatorScreen waiting={<List data={{ state: 'loading' }} />}>{KeysScreen}</OperatorScreen>
}

function KeysScreen() {
  const keys = useResource('reviewer keys', () => call(listReviewerKeys))
  const recipients = useResource('recipients', () => call(listRecipients))
  const [opened, setOpened] = useState<ReviewerKey | null>(null)
  const [isMaking, setMaking] = useState(false)
  const reload = () => {
    keys.reload()
    recipients.reload()
  }
  const rows = keys.state === 'ready' ? keys.data : []
  return (
    <>
      {keys.state === 'ready' && rows.length > 0 && <Standing keys={rows} />}
      {keys.state === 'ready' && (
        <OwnKey keys={rows.filter(({ own }) => own)} onMake={() => setMaking(true)} onOpen={setOpened} />
      )}
      <List
        data={keys.state === 'ready' ? { state: 'ready', rows } : keys}
        onRetry={keys.reload}
        onOpen={setOpened}
      />
      <RecoveryKey recipients={recipients} />
      {keys.state === 'ready' && recipients.state === 'ready' && recipients.data.length > 0 && (
        <Outdated own={rows.filter(({ own }) => own)} />
      )}
      <Modal open={isMaking} onClose={() => setMaking(false)} title="Make your key" size="large">
        <MakeKey
          replaces={rows.some(({ own, status }) => own && status === 'active')}
          onMade={reload}
          onClose={() => setMaking(false)}
        />
      </Modal>
      <Modal
        open={opened !== null}
        onClose={() => setOpened(null)}
        title={opened ? `Key of ${opened.owner.name}` : 'Key'}
        size="large"
      >
        {opened && <KeyCase reviewerKey={opened} onChanged={reload} onClose={() => setOpened(null)} />}
      </Modal>
    </>
  )
}

interface ListProps {
  data: Parameters<typeof Table<ReviewerKey>>[0]['data']
  onRetry?: () => void
  onOpen?: (key: ReviewerKey) => void
}

function List(props: ListProps) {
  return (
    <Panel title="All keys">
      <Table
        {...props}
        caption="Keys of the reviewers"
        columns={columns}
        rowKey={({ _id }) => _id}
        emptyText="No reviewer has a key yet. Until one counts, our server encrypts documents as they arrive."
        skeletonRows={2}
      />
    </Panel>
  )
}

const columns: readonly Column<ReviewerKey>[] = [
  { key: 'owner', header: 'Of', cell: ({ owner, own }) => (own ? `${owner.name} (you)` : owner.name) },
  {
    key: 'fingerprint',
    header: 'Fingerprint',
    cell: ({ fingerprint }) => <code>{fingerprint}</code>,
  },
  {
    key: 'made',
    header: 'Made',
    cell: ({ createdAt }) => (
      <OneLine>
        <DateTime at={createdAt} show="date" />
      </OneLine>
    ),
  },
  {
    key: 'status',
    header: 'Status',
    cell: ({ status }) => <Status {...KEY_STATUS[status]} />,
  },
]
