import { useRef, useState } from 'react'
import { createKey, type Key, MAX_KEY_DAYS, newKeyForm, revokeKey } from '../../../contract/identity/keys.ts'
import type { SessionAnswer } from '../../../contract/identity/signIn.ts'
import { isolate } from '../../../contract/isolate.ts'
import { Button } from '../../../design/Button.tsx'
import { Copied } from '../../../design/CopyButton.tsx'
import { DateTime } from '../../../design/DateTime.tsx'
import { TextField } from '../../../design/Field.tsx'
import { Modal } from '../../../design/Modal.tsx'
import { LoadFailure, Notice } from '../../../design/Notice.tsx'
import { Panel } from '../../../design/Panel.tsx'
import { Skeleton } from '../../../design/Skeleton.tsx'
import { Status } from '../../../design/Status.tsx'
import { toast } from '../../../design/toasts.ts'
import { DAY_MS } from '../../../time.ts'
import { useAction } from '../../lib/action.ts'
import { call } from '../../lib/api.ts'
import { toIsoDay } from '../../lib/days.ts'
import { getKeyStatus } from '../../lib/keyStatus.ts'
import { Waiting } from '../../lib/Loaded.tsx'
import type { Resource } from '../../lib/resource.ts'
import { getServerNow } from '../../lib/serverTime.ts'
import { ConfirmedForm } from './ConfirmedForm.tsx'
import styles from './Profile.module.css'

type Dialog =
  | { step: 'nothing' }
  | { step: 'creating'; kind: Key['kind'] }
  | { step: 'copying'; created: Key }
  | { step: 'revoking'; key: Key }

interface KeysProps {
  session: SessionAnswer | null
  keys: Resource<readonly Key[]> & { reload: () => void }
  /** A key was created or revoked: reload the security page. */
  onChanged: () => void
}

/** Keys with which programs and guests read the account. */
export function Keys({ session, keys, onChanged }: KeysProps) {
  const [dialog, setDialog] = useState<Dialog>({ step: 'nothing' })
  const panel = useRef<HTMLDivElement>(null)
  const close = () => setDialog({ step: 'nothing' })
  return (
    <Panel title="Keys and guest links">
      <div ref={panel} tabIndex={-1} className="stack">
        <p className="small soft">
          A key lets a program of yours read your balances, history, positions, statements and gains. A guest
          link shows the same to a partner or an accountant. Neither can change anything.{' '}
          <a href="/docs/keys">How to use a key</a>
        </p>
        {keys.state === 'loading' && (
          <Waiting label="Loading your keys">
            <Skeleton width="medium" height="control" />
          </Waiting>
        )}
        {keys.state === 'failed' && <LoadFailure msg={keys.msg} onRetry={keys.reload} />}
        {keys.state === 'ready' && (
          <>
            {keys.data.length > 0 && (
              <ul className={styles.list} aria-label="Keys and guest links">
                {keys.data.map((key) => (
                  <Row key={key._id} entry={key} onRevoke={() => setDialog({ step: 'revoking', key })} />
                ))}
              </ul>
            )}
            <div className="row">
              <Button aria-haspopup="dialog" onClick={() => setDialog({ step: 'creating', kind: 'program' })}>
                Create a Key
              </Button>
              <Button aria-haspopup="dialog" onClick={() => setDialog({ step: 'creating', kind: 'guest' })}>
                Create a Guest Link
              </Button>
            </div>
          </>
        )}
      </div>
      <Modal
        open={dialog.step !== 'nothing'}
        onClose={close}
        title={describeDialog(dialog)}
        dismissible={dialog.step !== 'copying'}
      >
        {dialog.step === 'creating' && (
          <CreateKey
            kind={dialog.kind}
            email={session?.email ?? ''}
            onCreated={(created) => {
              setDialog({ step: 'copying', created })
              onChanged()
            }}
          />
        )}
        {dialog.step === 'copying' && <CopyOnce created={dialog.created} onDone={close} />}
        {dialog.step === 'revoking' && (
          <RevokeKey
            entry={dialog.key}
            onCancel={close}
            onRevoked={() => {
              close()
              toast.success(
                dialog.key.kind === 'guest' ? 'The guest link was revoked.' : 'The key was revoked.',
              )
              onChanged()
              // The clicked button was removed with its key.
              panel.current?.focus()
            }}
          />
        )}
      </Modal>
    </Panel>
  )
}

function describeDialog(dialog: Dialog): string {
  switch (dialog.step) {
    case 'creating':
      return dialog.kind === 'guest' ? 'Create a guest link' : 'Create a key'
    case 'copying':
      return dialog.created.kind === 'guest' ? 'Your guest link' : 'Your key'
    case 'revoking':
      return dialog.key.kind === 'guest' ? 'Revoke the guest link?' : 'Revoke the key?'
    default:
      return ''
  }
}

function Row({ entry, onRevoke }: { entry: Key; onRevoke: () => void }) {
  const { kind, name, networks, expiresAt, lastUsedAt } = entry
  const status = getKeyStatus(entry)
  return (
    <li className={styles.entry}>
      <div className={styles.facts}>
        <p className={styles.name}>
          <bdi>{name}</bdi>
          {status !== 'Valid' && <Status status="cancelled" label={status} />}
        </p>
        <p className="small soft">
          <span>{kind === 'guest' ? 'Guest link, until ' : 'Key, until '}</span>
          <DateTime at={toLastMoment(expiresAt)} show="date" />
          {networks.length > 0 && <span>, only from {networks.join(', ')}</span>}
        </p>
        <p className="small soft">
          <span>{lastUsedAt === null ? 'Not used yet' : 'Last used '}</span>
          {lastUsedAt !== null && <DateTime at={lastUsedAt} />}
        </p>
      </div>
      {status === 'Valid' && (
        <Button size="small" aria-haspopup="dialog" onClick={onRevoke}>
          Revoke<span className="visually-hidden"> {isolate(name)}</span>
        </Button>
      )}
    </li>
  )
}

/** A key ends with its last day, so its end is in the next one. */
function toLastMoment(expiresAt: string): string {
  return new Date(Date.parse(expiresAt) - 1).toISOString()
}

interface CreateKeyProps {
  kind: Key['kind']
  email: string
  onCreated: (created: Key) => void
}

function CreateKey({ kind, email, onCreated }: CreateKeyProps) {
  const todayMs = getServerNow()
  return (
    <ConfirmedForm
      endpoint={createKey}
      schema={newKeyForm}
      defaultValues={{ until: toIsoDay(todayMs + 90 * DAY_MS) }}
      bodyOf={(values) => ({ ...values, kind })}
      focus="name"
      onDone={onCreated}
      email={email}
      passwordHint="To make sure that it is you."
      submitLabel={kind === 'guest' ? 'Create the Link' : 'Create the Key'}
      label={kind === 'guest' ? 'Create a guest link' : 'Create a key'}
    >
      {(field) => (
        <>
          <TextField
            label="Name"
            autoComplete="off"
            maxLength={60}
            hint={kind === 'guest' ? 'Who it is for. They see this name.' : 'The program that uses it.'}
            {...field('name')}
          />
          <TextField
            label="Last day"
            type="date"
            min={toIsoDay(todayMs)}
            max={toIsoDay(todayMs + MAX_KEY_DAYS * DAY_MS)}
            hint="It works until the end of this day (UTC). A year at most."
            {...field('until')}
          />
          {kind === 'program' && (
            <TextField
              label="Only from these networks (optional)"
              autoComplete="off"
              spellCheck={false}
              hint="Addresses or ranges with commas between them, such as 203.0.113.0/24."
              {...field('networks')}
            />
          )}
        </>
      )}
    </ConfirmedForm>
  )
}

function CopyOnce({ created: { key = '', kind }, onDone }: { created: Key; onDone: () => void }) {
  const isGuest = kind === 'guest'
  return (
    <>
      <Notice tone="success" live title="Copy it now. We do not show it again">
        <Copied
          text={isGuest ? `${location.origin}/guest#${key}` : key}
          what={isGuest ? 'guest link' : 'key'}
        />
      </Notice>
      <p className="small soft">
        {isGuest
          ? 'Anyone with this link can read your figures until you revoke it. Send it only to your guest.'
          : 'Anyone with this key can read your figures until you revoke it. Keep it like a password.'}
      </p>
      <div className="row">
        <Button variant="primary" onClick={onDone}>
          Done
        </Button>
      </div>
    </>
  )
}

interface RevokeKeyProps {
  entry: Key
  onRevoked: () => void
  onCancel: () => void
}

function RevokeKey({ entry, onRevoked, onCancel }: RevokeKeyProps) {
  const { busy, start } = useAction(() =>
    call(revokeKey, { params: { id: entry._id }, body: {}, quiet: false }).then(onRevoked),
  )
  return (
    <>
      <p>
        <bdi>{entry.name}</bdi>
        <span> stops working at once. You cannot bring it back, but you can create another.</span>
      </p>
      <div className="row">
        <Button variant="danger" busy={busy} onClick={start}>
          Revoke
        </Button>
        <Button onClick={onCancel}>Keep It</Button>
      </div>
    </>
  )
}
