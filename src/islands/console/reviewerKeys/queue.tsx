import { lazy, Suspense, useState } from 'react'
import {
  listReviewerKeys,
  type ReviewerKey,
  retireReviewerKey,
} from '../../../contract/console/reviewerKeys.ts'
import { listRecipients, RECOVERY_NAME, type Recipient } from '../../../contract/identity/kyc.ts'
import { isolate } from '../../../contract/isolate.ts'
import { Button, ButtonLink } from '../../../design/Button.tsx'
import { Copied } from '../../../design/CopyButton.tsx'
import { TableDate } from '../../../design/DateTime.tsx'
import { Facts } from '../../../design/Facts.tsx'
import { Modal } from '../../../design/Modal.tsx'
import { Notice } from '../../../design/Notice.tsx'
import { Panel } from '../../../design/Panel.tsx'
import { Skeleton } from '../../../design/Skeleton.tsx'
import { Status, type StatusProps } from '../../../design/Status.tsx'
import { call } from '../../lib/api.ts'
import { Loaded } from '../../lib/Loaded.tsx'
import { useResource } from '../../lib/resource.ts'
import { CaseLoading } from '../cases/Case.tsx'
import { ConfirmOnly } from '../cases/ConfirmedForm.tsx'
import { NeedsRole } from '../cases/OperatorScreen.tsx'
import { QueueScreen } from '../cases/QueueScreen.tsx'
import type { QueueKind } from '../cases/queueKind.ts'
import { useOperator } from '../cases/useOperator.ts'
import type { Queue } from '../cases/useQueue.ts'
import { KeyNotice } from './KeyNotice.tsx'
import { Outdated } from './Outdated.tsx'

// Needed once it is opened.
const MakeKey = lazy(async () => ({ default: (await import('./MakeKey.tsx')).MakeKey }))

export function KeyList() {
  return <QueueScreen kind={keys} />
}

/** /operator/keys: the reviewers' keys, which open identity documents. */
const keys: QueueKind<ReviewerKey> = {
  endpoint: listReviewerKeys,
  plural: 'keys',
  singular: 'key',
  title: 'All keys',
  columns: [
    {
      key: 'owner',
      header: 'Owner',
      cell: ({ owner, own }) => (own ? `${isolate(owner.name)} (you)` : owner.name),
    },
    {
      key: 'fingerprint',
      header: 'Fingerprint',
      cell: ({ fingerprint }) => <code translate="no">{fingerprint}</code>,
    },
    { key: 'made', header: 'Created', cell: ({ createdAt }) => <TableDate at={createdAt} show="date" /> },
    { key: 'status', header: 'Status', cell: ({ status }) => <Status {...KEY_STATUS[status]} /> },
  ],
  emptyText:
    'No reviewer has a key yet. Until there is an active key, our server encrypts documents when they arrive.',
  skeletonRows: 2,
  above: OwnKey,
  below: OtherKeys,
  titleOf: (key) => (key ? `${isolate(key.owner.name)}’s key` : 'Key'),
  details: (key) => (
    <Facts
      facts={[
        { label: 'Status', value: <Status {...KEY_STATUS[key.status]} /> },
        { label: 'Fingerprint', value: <code translate="no">{key.fingerprint}</code> },
        { label: 'Public key', value: <Copied text={key.recipient} what="public key" /> },
        { label: 'Unlocked by', value: key.method === 'passkey' ? 'A passkey' : 'A passphrase' },
      ]}
    />
  ),
  notice: ({ status, owner }) =>
    status === 'awaiting' && (
      <Notice
        title="Another operator has to approve this key"
        actions={
          <ButtonLink href="/operator/proposals" size="small">
            Proposals
          </ButtonLink>
        }
      >
        Before approving, they compare the fingerprint with <bdi>{owner.name}</bdi> in person or by phone.
      </Notice>
    ),
  decisions: ({ status, own, owner }, { me }) =>
    status === 'active'
      ? [
          {
            label: 'Retire key',
            scope: 'operator:kyc.keys',
            closed: own || me?.roles.includes('administrator') ? undefined : ONLY_ADMINISTRATORS,
            panel: (props) => (
              <ConfirmOnly {...props} endpoint={retireReviewerKey} confirmLabel="Retire the key">
                <p>
                  New documents are no longer encrypted to{' '}
                  <strong>
                    <bdi>{owner.name}</bdi>
                  </strong>
                  ’s key. It still opens older documents until you encrypt them again on this page. It always
                  opens copies that were made before that.
                </p>
              </ConfirmOnly>
            ),
          },
        ]
      : [],
  outcomeOf: () => ({
    tone: 'success',
    title: 'Retired',
    text: 'New documents are no longer encrypted to it. It still opens older documents until a reviewer encrypts them again.',
  }),
}

/** The operator's active key, or how to get one. */
function OwnKey({ queue }: { queue: Queue<ReviewerKey> }) {
  const { can } = useOperator()
  const [isMaking, setMaking] = useState(false)
  if (queue.data.state !== 'ready') return null
  const keys = queue.data.rows.filter(({ own }) => own)
  const awaiting = keys.find(({ status }) => status === 'awaiting')
  const active = keys.find(({ status }) => status === 'active')
  return (
    <>
      {queue.data.rows.length > 0 && <KeyNotice keys={queue.data.rows} />}
      <Panel title="Your key">
        {awaiting && (
          <Notice
            title="Your new key is waiting for approval"
            actions={
              <ButtonLink href="/operator/proposals" size="small">
                Proposals
              </ButtonLink>
            }
          >
            Give a colleague its fingerprint in person or by phone:{' '}
            <code translate="no">{awaiting.fingerprint}</code>. They compare it and approve the proposal.
            Documents are encrypted to the key after that.
          </Notice>
        )}
        {active ? (
          <>
            <p>
              Your key <code translate="no">{active.fingerprint}</code> and your passphrase open the documents
              that investors send now.
            </p>
            <div className="row">
              <Button onClick={() => queue.open(active)}>Show key</Button>
              {!awaiting && can('operator:kyc.own_key') && (
                <Button onClick={() => setMaking(true)}>Create a new key</Button>
              )}
            </div>
          </>
        ) : (
          !awaiting &&
          (can('operator:kyc.own_key') ? (
            <>
              <p>
                You have no active key, so you cannot open documents that investors’ browsers encrypt.
                Creating one takes a minute: you choose a passphrase, and a colleague approves the key.
              </p>
              <div className="row">
                <Button variant="primary" onClick={() => setMaking(true)}>
                  Create your key
                </Button>
              </div>
            </>
          ) : (
            <NeedsRole scope="operator:kyc.own_key" />
          ))
        )}
      </Panel>
      <Modal open={isMaking} onClose={() => setMaking(false)} title="Create your key" size="large">
        <Suspense fallback={<CaseLoading what="form" />}>
          <MakeKey replaces={active !== undefined} onMade={queue.reload} onClose={() => setMaking(false)} />
        </Suspense>
      </Modal>
    </>
  )
}

/** The recovery key, and the documents that are not encrypted to today's keys. */
function OtherKeys({ queue }: { queue: Queue<ReviewerKey> }) {
  const keys = queue.data.state === 'ready' ? queue.data.rows : []
  const state = keys.map(({ status }) => status).join()
  const recipients = useResource(`recipients ${state}`, () => call(listRecipients))
  return (
    <>
      <Panel title="Recovery key">
        <p>
          Every document is also encrypted to this key. The private key is kept offline, for the case that
          reviewers lose theirs. Compare this fingerprint with the one stored with the private key.
        </p>
        <Loaded resource={recipients} waiting={<Skeleton width="long" />}>
          {(keys) => <RecoveryFacts recovery={keys.find(({ name }) => name === RECOVERY_NAME)} />}
        </Loaded>
      </Panel>
      {keys.length > 0 && recipients.state === 'ready' && recipients.data.length > 0 && (
        <Outdated own={keys.filter(({ own }) => own)} />
      )}
    </>
  )
}

function RecoveryFacts({ recovery }: { recovery: Recipient | undefined }) {
  return recovery ? (
    <Facts
      facts={[
        { label: 'Fingerprint', value: <code translate="no">{recovery.fingerprint}</code> },
        { label: 'Public key', value: <code translate="no">{recovery.recipient}</code> },
      ]}
    />
  ) : (
    <Notice tone="caution" title="Browsers do not encrypt documents yet">
      They will once a reviewer’s key is active. Until then our server encrypts documents when they arrive.
    </Notice>
  )
}

const ONLY_ADMINISTRATORS = 'Only an administrator can retire another operator’s key.'

const KEY_STATUS: Record<ReviewerKey['status'], StatusProps> = {
  awaiting: { status: 'pending', label: 'Waiting for approval' },
  active: { status: 'active', label: 'Active' },
  retired: { status: 'retired', label: 'Retired' },
}
