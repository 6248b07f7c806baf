import { listKycQueue, type OperatorKyc } from '../../contract/operator/kyc.ts'
import { DateTime } from '../../design/DateTime.tsx'
import { Modal } from '../../design/Modal.tsx'
import { Status } from '../../design/Status.tsx'
import type { Column } from '../../design/Table.tsx'
import { Fetched } from '../operator/Fetched.tsx'
import { OneLine } from '../operator/OneLine.tsx'
import { OperatorScreen } from '../operator/OperatorScreen.tsx'
import { Person } from '../operator/Person.tsx'
import { QueueView } from '../operator/QueueView.tsx'
import type { Filter } from '../operator/StatusFilter.tsx'
import { useQueue } from '../operator/useQueue.ts'
import { useSettings } from '../operator/useSettings.ts'

/** /operator/kyc: identity documents, and the decisions about them. */
export function Kyc() {
  return <OperatorScreen waiting={<QueueView {...view} />}>{KycQueue}</OperatorScreen>
}

function KycQueue() {
  const queue = useQueue(listKycQueue, filters, ({ status }) => status === 'pending')
  const settings = useSettings()
  const { opened, openId, next, open } = queue
  return (
    <>
      <QueueView {...view} queue={queue} />
      <Modal
        open={openId !== ''}
        onClose={queue.close}
        title={opened ? `Identity document ${opened.ref}` : 'Identity document'}
        size="large"
      >
        <Fetched what="document" load={() => import('./KycCase.tsx')}>
          {({ KycCase }) => (
            <KycCase
              key={openId}
              listed={opened}
              settings={settings.state === 'ready' ? settings.data : null}
              isListLoading={queue.data.state === 'loading'}
              onDecided={queue.put}
              onOvertaken={queue.reload}
              onClose={queue.close}
              onNext={next && (() => open(next))}
            />
          )}
        </Fetched>
      </Modal>
    </>
  )
}

const filters: readonly [Filter, ...Filter[]] = [
  { value: 'pending', label: 'Pending' },
  { value: 'approved', label: 'Approved' },
  { value: 'rejected', label: 'Rejected' },
  { value: '', label: 'All' },
]

const columns: readonly Column<OperatorKyc>[] = [
  { key: 'ref', header: 'Reference', cell: ({ ref }) => <OneLine>{ref}</OneLine> },
  { key: 'investor', header: 'Investor', cell: ({ investor }) => <Person {...investor} /> },
  { key: 'document', header: 'Document', cell: ({ document }) => document },
  {
    key: 'at',
    header: 'When',
    cell: ({ createdAt }) => (
      <OneLine>
        <DateTime at={createdAt} />
      </OneLine>
    ),
  },
  { key: 'status', header: 'Status', cell: ({ status }) => <Status status={status} /> },
]

const view = { what: 'documents', filters, columns }
