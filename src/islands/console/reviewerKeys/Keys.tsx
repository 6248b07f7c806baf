import { useState } from 'react'
import {
  listReviewerKeys,
  type ReviewerKey,
  retireReviewerKey,
} from '../../../contract/console/reviewerKeys.ts'
import { listRecipients, RECOVERY_NAME, type Recipient } from '../../../contract/identity/kyc.ts'
import { Button, ButtonLink } from '../../../design/Button.tsx'
import { Copied } from '../../../design/CopyButton.tsx'
import { DateTime } from '../../../design/DateTime.tsx'
import { Facts } from '../../../design/Facts.tsx'
import { Modal } from '../../../design/Modal.tsx'
import { Notice } from '../../../design/Notice.tsx'
import { Panel } from '../../../design/Panel.tsx'
import { Skeleton } from '../../../design/Skeleton.tsx'
import { Status, type StatusProps } from '../../../design/Status.tsx'
import { call } from '../../lib/api.ts'
import { Loaded } from '../../lib/Loaded.tsx'
import { useResource } from '../../lib/resource.ts'
import { CaseDetails, CaseFrame, nothingDone, Outcome, type OutcomeWords } from '../cases/Case.tsx'
import { ConfirmOnly } from '../cases/ConfirmedForm.tsx'
import { NoWrapDate } from '../cases/columns.tsx'
import { Decide } from '../cases/Decide.tsx'
import { NeedsRole, OperatorScreen } from '../cases/OperatorScreen.tsx'
import { TablePanel, type TablePanelProps } from '../cases/TablePanel.tsx'
import { useOperator } from '../cases/useOperator.ts'
import { KeyNotice } from './KeyNotice.tsx'
import { MakeKey } from './MakeKey.tsx'
import { Outdated } from './Outdated.tsx'

/** /operator/keys: the reviewers' keys, which open identity documents. */
export function Keys() {
  return <OperatorScreen waiting={<TablePanel {...LIST} />}>{KeysScreen}</OperatorScreen>
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

const LIST: TablePanelProps<ReviewerKey> = {
  title: 'All keys',
  caption: 'Keys of the reviewers',
  columns: [
    { key: 'owner', header: 'Of', cell: ({ owner, own }) => (own ? `${owner.name} (you)` : owner.name) },
    { key: 'fingerprint', header: 'Fingerprint', cell: ({ fingerprint }) => <code>{fingerprint}</code> },
    { key: 'made', header: 'Made', cell: ({ createdAt }) => <NoWrapDate at={createdAt} show="date" /> },
    { key: 'status', header: 'Status', cell: ({ status }) => <Status {...KEY_STATUS[status]} /> },
  ],
  rowKey: ({ _id }) => _id,
  emptyText: 'No reviewer has a key yet. Until one counts, our server encrypts documents as they arrive.',
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
          title="Your new key waits for another operator"
          actions={
            <ButtonLink href="/operator/proposals" size="small">
              Proposals
            </ButtonLink>
          }
        >
          Tell a colleague its fingerprint in person or by telephone: <code>{awaiting.fingerprint}</code>.
          They compare it and approve the proposal. Until then nothing is encrypted to it.
        </Notice>
      )}
      {active ? (
        <>
          <p>
            Documents that investors send from now on open with your key <code>{active.fingerprint}</code> and
            your passphrase.
          </p>
          <div className="row">
            <Button onClick={() => onOpen(active)}>Show it</Button>
            {!awaiting && can('operator:kyc.decide') && <Button onClick={onMake}>Make a new key</Button>}
          </div>
        </>
      ) : (
        !awaiting &&
        (can('operator:kyc.decide') ? (
          <>
            <p>
              You have no key in use, so you cannot open documents that investors’ browsers encrypt. It takes
              a minute: you choose a passphrase, and a colleague approves the key.
            </p>
            <div className="row">
              <Button variant="primary" onClick={onMake}>
                Make your key
              </Button>
            </div>
          </>
        ) : (
          <NeedsRole scope="operator:kyc.decide" />
        ))
      )}
    </Panel>
  )
}

function RecoveryKey({ recipients }: { recipients: ReturnType<typeof useResource<readonly Recipient[]>> }) {
  return (
    <Panel title="Recovery key">
      <p>
        Every document is encrypted to this key, too. Its private half is kept offline and opens documents
        when reviewers’ keys are lost. Compare its fingerprint with the paper it is kept with.
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
        { label: 'Fingerprint', value: <code>{recovery.fingerprint}</code> },
        { label: 'Public key', value: <code>{recovery.recipient}</code> },
      ]}
    />
  ) : (
    <Notice tone="caution" title="Documents are not encrypted in browsers yet">
      That begins with the first reviewer’s key in use. Until then our server encrypts them as they arrive.
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
          { label: 'Fingerprint', value: <code>{key.fingerprint}</code> },
          { label: 'Public key', value: <Copied text={key.recipient} what="public key" /> },
          { label: 'Unlocked by', value: key.method === 'passkey' ? 'A passkey' : 'A passphrase' },
          { label: 'Made', value: <DateTime at={key.createdAt} /> },
        ]}
      />
      {outcome === null && key.status === 'awaiting' && (
        <Notice
          title="It counts once another operator has approved it"
          actions={
            <ButtonLink href="/operator/proposals" size="small">
              Proposals
            </ButtonLink>
          }
        >
          Whoever approves it compares the fingerprint with {key.owner.name} in person or by telephone.
        </Notice>
      )}
      {outcome === null && key.status === 'active' && (
        <Decide
          choices={[
            {
              label: 'Retire it',
              scope: 'operator:kyc.keys',
              closed: key.own || isAdministrator ? undefined : ONLY_ADMINISTRATORS,
              panel: (onCancel) => (
                <ConfirmOnly
                  row={key}
                  endpoint={retireReviewerKey}
                  confirmLabel="Retire the key"
                  onCancel={onCancel}
                  onOvertaken={(text) => end(nothingDone(text))}
                  onDecided={(retired) => {
                    setKey(retired)
                    end({
                      tone: 'success',
                      title: 'Retired',
                      text: 'New documents are no longer encrypted to it. Those that are open with it until a reviewer seals them anew.',
                    })
                  }}
                >
                  <p>
                    New documents are no longer encrypted to the key of <strong>{key.owner.name}</strong>.
                    Seal the older ones anew afterwards, on this page: until then this key still opens them. A
                    copy that was made before it opens for ever.
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

const ONLY_ADMINISTRATORS = 'Only an administrator retires somebody else’s key.'

const KEY_STATUS: Record<ReviewerKey['status'], StatusProps> = {
  awaiting: { status: 'pending', label: 'Waiting for approval' },
  active: { status: 'active', label: 'In use' },
  retired: { status: 'retired', label: 'Retired' },
}
