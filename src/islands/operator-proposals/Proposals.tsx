import { useState } from 'react'
import { listProposals, type Proposal } from '../../contract/operator/proposals.ts'
import { Button } from '../../design/Button.tsx'
import { DateTime } from '../../design/DateTime.tsx'
import { Modal } from '../../design/Modal.tsx'
import { Status } from '../../design/Status.tsx'
import type { Column } from '../../design/Table.tsx'
import { toast } from '../../design/toasts.ts'
import { Fetched } from '../operator/Fetched.tsx'
import { OneLine } from '../operator/OneLine.tsx'
import { OperatorScreen } from '../operator/OperatorScreen.tsx'
import { QueueView } from '../operator/QueueView.tsx'
import type { Filter } from '../operator/StatusFilter.tsx'
import { useQueue } from '../operator/useQueue.ts'
import { useSettings } from '../operator/useSettings.ts'
import { KIND_LABELS, subjectOf } from './words.ts'

/** /operator/proposals: what one operator may not do alone. */
export function Proposals() {
  return <OperatorScreen waiting={<QueueView {...view} />}>{ProposalsQueue}</OperatorScreen>
}

function ProposalsQueue() {
  const queue = useQueue(listProposals, filters, ({ status }) => status === 'pending')
  const settings = useSettings()
  const [isProposing, setProposing] = useState(false)
  const { opened, openId, next, open } = queue
  const known = settings.state === 'ready' ? settings.data : null
  return (
    <>
      <div className="row">
        <Button variant="primary" onClick={() => setProposing(true)}>
          Propose something
        </Button>
      </div>
      <QueueView {...view} queue={queue} />
      <Modal open={isProposing} onClose={() => setProposing(false)} title="Propose" size="large">
        <Fetched what="form" load={() => import('./Propose.tsx')}>
          {({ Propose }) => (
            <Propose
              settings={known}
              onCancel={() => setProposing(false)}
              onProposed={() => {
                setProposing(false)
                queue.reload()
                toast.success('Proposed. Another operator decides.')
              }}
            />
          )}
        </Fetched>
      </Modal>
      <Modal
        open={openId !== ''}
        onClose={queue.close}
        title={opened ? KIND_LABELS[opened.kind] : 'Proposal'}
        size="large"
      >
        <Fetched what="proposal" load={() => import('./ProposalCase.tsx')}>
          {({ ProposalCase }) => (
            <ProposalCase
              key={openId}
              listed={opened}
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

const columns: readonly Column<Proposal>[] = [
  { key: 'kind', header: 'Proposal', cell: ({ kind }) => KIND_LABELS[kind] },
  { key: 'subject', header: 'About', cell: subjectOf },
  { key: 'by', header: 'Proposed by', cell: ({ proposedBy }) => proposedBy.name },
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

const view = { what: 'proposals', filters, columns }
