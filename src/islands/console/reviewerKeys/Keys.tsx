import { useState } from 'react'
import {
  listReviewerKeys,
  type ReviewerKey,
  retireReviewerKey,
} from '../../../contract/console/reviewerKeys.ts'
import { listRecipients, RECOVERY_NAME, type Recipient } from '../../../contract/identity/kyc.ts'
import { isolate } from '../../../contract/isolate.ts'
import { Button, ButtonLink } from '../../../design/Button.tsx'
import { Copied } from '../../../design/CopyButton.tsx'
import { DateTime, TableDate } from '../../../design/DateTime.tsx'
import { Facts } from '../../../design/Facts.tsx'
import { Modal } from '../../../design/Modal.tsx'
import { Notice } from '../../../design/Notice.tsx'
import { Panel } from '../../../design/Panel.tsx'
import { Skeleton } from '../../../design/Skeleton.tsx'
import { Status, type StatusProps } from '../../../design/Status.tsx'
import { call } from '../../lib/api.ts'
import { Loaded } from '../../lib/Loaded.tsx'
import { useResource } from '../../lib/resource.ts'
import { CaseDetails, CaseFrame, describeNothingDone, Outcome, type OutcomeWords } from '../cases/Case.tsx'
import { ConfirmOnly } from '../cases/ConfirmedForm.tsx'
import { Decide } from '../cases/Decide.tsx'
import { NeedsRole, OperatorScreen } from '../cases/OperatorScreen.tsx'
import { TablePanel, type TablePanelProps } from '../cases/TablePanel.tsx'
import { useOperator } from '../cases/useOperator.ts'
import { KeyNotice } from './KeyNotice.tsx'
import { MakeKey } from './MakeKey.tsx'
import { Outdated } from './Outdated.tsx'

/** /operator/keys: the reviewers' keys, which open identity documents. */
export function Keys() {
  return (
    <OperatorScreen scope="operator:kyc.read" waiting={<TablePanel {...LIST} />}>
      {KeysScreen}
    </OperatorScreen>
  )
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
      {keys.state === 'ready' && rows.length > 0 && <KeyNotice keys={rows} />}
      {keys.state === 'ready' && (
        <OwnKey keys={rows.filter(({ own }) => own)} onMake={() => setMaking(true)} onOpen={setOpened} />
      )}
      <TablePanel
        {...LIST}
        data={keys.state === 'ready' ? { state: 'ready', rows } : keys}
        onRetry={keys.reload}
        onOpen={setOpened}
      />
      <RecoveryKey recipients={recipients} />
      {keys.state === 'ready' && recipients.state === 'ready' && recipients.data.length > 0 && (
        <Outdated own={rows.filter(({ own }) => own)} />
      )}
      <Modal open={isMaking} onClose={() => setMaking(false)} title="Create your key" size="large">
        <MakeKey
          replaces={rows.some(({ own, status }) => own && status === 'active')}
          onMade={reload}
          onClose={() => setMaking(false)}
        />
      </Modal>
      <Modal
        open={opened !== null}
        onClose={() => setOpened(null)}
        title={opened ? `${isolate(opened.owner.name)}’s key` : 'Key'}
        size="large"
      >
        {opened && <KeyCase reviewerKey={opened} onChanged={reload} onClose={() => setOpened(null)} />}
      </Modal>
    </>
  )
}

const LIST: TablePanelProps<ReviewerKey> = {
  title: 'All keys',
  caption: 'Keys of the reviewers',
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
  rowKey: ({ _id }) => _id,
  emptyText:
    'No reviewer has a key yet. Until there is an active key, our server encrypts documents when they arrive.',
  skeletonRows: 2,
}

interface OwnKeyProps {
  /** The operator's own keys, newest first. */
  keys: readonly ReviewerKey[]
  onMake: () => void
  onOpen: (key: ReviewerKey) => void
}

/** The operator's active key, or how to get one. */
function OwnKey({ keys, onMake, onOpen }: OwnKeyProps) {
  const { can } = useOperator()
  const awaiting = keys.find(({ status }) => status === 'awaiting')
  const active = keys.find(({ status }) => status === 'active')
  return (
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
            <Button onClick={() => onOpen(active)}>Show key</Button>
            {!awaiting && can('operator:kyc.own_key') && <Button onClick={onMake}>Create a new key</Button>}
          </div>
        </>
      ) : (
        !awaiting &&
        (can('operator:kyc.own_key') ? (
          <>
            <p>
              You have no active key, so you cannot open documents that investors’ browsers encrypt. Creating
              one takes a minute: you choose a passphrase, and a colleague approves the key.
            </p>
            <div className="row">
              <Button variant="primary" onClick={onMake}>
                Create your key
              </Button>
            </div>
          </>
        ) : (
          <NeedsRole scope="operator:kyc.own_key" />
        ))
      )}
    </Panel>
  )
}

function RecoveryKey({ recipients }: { recipients: ReturnType<typeof useResource<readonly Recipient[]>> }) {
  return (
    <Panel title="Recovery key">
      <p>
        Every document is also encrypted to this key. The private key is kept offline, for the case that
        reviewers lose theirs. Compare this fingerprint with the one stored with the private key.
      </p>
      <Loaded resource={recipients} waiting={<Skeleton width="long" />}>
        {(keys) => <RecoveryFacts recovery={keys.find(({ name }) => name === RECOVERY_NAME)} />}
      </Loaded>
    </Panel>
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

/** One key: its facts, its fingerprint to compare, and the button to retire it. */
function KeyCase(props: { reviewerKey: ReviewerKey; onChanged: () => void; onClose: () => void }) {
  const { onChanged, onClose } = props
  const [key, setKey] = useState(props.reviewerKey)
  const [outcome, setOutcome] = useState<OutcomeWords | null>(null)
  const isAdministrator = useOperator().me?.roles.includes('administrator') ?? false
  const end = (words: OutcomeWords) => {
    setOutcome(words)
    onChanged()
  }
  return (
    <CaseFrame>
      {outcome !== null && <Outcome outcome={outcome} onClose={onClose} />}
      <CaseDetails
        facts={[
          { label: 'Status', value: <Status {...KEY_STATUS[key.status]} /> },
          { label: 'Fingerprint', value: <code translate="no">{key.fingerprint}</code> },
          { label: 'Public key', value: <Copied text={key.recipient} what="public key" /> },
          { label: 'Unlocked by', value: key.method === 'passkey' ? 'A passkey' : 'A passphrase' },
          { label: 'Created', value: <DateTime at={key.createdAt} /> },
        ]}
      />
      {outcome === null && key.status === 'awaiting' && (
        <Notice
          title="Another operator has to approve this key"
          actions={
            <ButtonLink href="/operator/proposals" size="small">
              Proposals
            </ButtonLink>
          }
        >
          Before approving, they compare the fingerprint with <bdi>{key.owner.name}</bdi> in person or by
          phone.
        </Notice>
      )}
      {outcome === null && key.status === 'active' && (
        <Decide
          choices={[
            {
              label: 'Retire key',
              scope: 'operator:kyc.keys',
              closed: key.own || isAdministrator ? undefined : ONLY_ADMINISTRATORS,
              panel: (onCancel) => (
                <ConfirmOnly
                  row={key}
                  endpoint={retireReviewerKey}
                  confirmLabel="Retire the key"
                  onCancel={onCancel}
                  onOvertaken={(text) => end(describeNothingDone(text))}
                  onDecided={(retired) => {
                    setKey(retired)
                    end({
                      tone: 'success',
                      title: 'Retired',
                      text: 'New documents are no longer encrypted to it. It still opens older documents until a reviewer encrypts them again.',
                    })
                  }}
                >
                  <p>
                    New documents are no longer encrypted to{' '}
                    <strong>
                      <bdi>{key.owner.name}</bdi>
                    </strong>
                    ’s key. It still opens older documents until you encrypt them again on this page. It
                    always opens copies that were made before that.
                  </p>
                </ConfirmOnly>
              ),
            },
          ]}
        />
      )}
    </CaseFrame>
  )
}

const ONLY_ADMINISTRATORS = 'Only an administrator can retire another operator’s key.'

const KEY_STATUS: Record<ReviewerKey['status'], StatusProps> = {
  awaiting: { status: 'pending', label: 'Waiting for approval' },
  active: { status: 'active', label: 'Active' },
  retired: { status: 'retired', label: 'Retired' },
}
