import { useRef, useState } from 'react'
import type { AnswerOf } from '../../../contract/endpoint.ts'
import type { twoFactorStatus } from '../../../contract/identity/factors.ts'
import { type Passkey, removePasskey, renamePasskey } from '../../../contract/identity/passkeys.ts'
import type { SessionAnswer } from '../../../contract/identity/signIn.ts'
import { isolate } from '../../../contract/isolate.ts'
import { Button } from '../../../design/Button.tsx'
import { DateTime } from '../../../design/DateTime.tsx'
import { TextField } from '../../../design/Field.tsx'
import { Form } from '../../../design/Form.tsx'
import { Modal } from '../../../design/Modal.tsx'
import { LoadFailure, Notice } from '../../../design/Notice.tsx'
import { Panel } from '../../../design/Panel.tsx'
import { Skeleton } from '../../../design/Skeleton.tsx'
import { toast } from '../../../design/toasts.ts'
import { useEndpointForm } from '../../lib/endpointForm.ts'
import { Waiting } from '../../lib/Loaded.tsx'
import type { Resource } from '../../lib/resource.ts'
import { AddPasskey } from './AddPasskey.tsx'
import { ConfirmedForm } from './ConfirmedForm.tsx'
import styles from './Profile.module.css'
import { RecoveryCodes } from './RecoveryCodes.tsx'
import { WithdrawalProof } from './WithdrawalProof.tsx'

type Dialog =
  | { step: 'nothing' }
  | { step: 'adding' }
  | { step: 'keeping'; codes: readonly string[] }
  | { step: 'renaming'; passkey: Passkey }
  | { step: 'removing'; passkey: Passkey }

const TITLES = {
  nothing: '',
  adding: 'Add a passkey',
  keeping: 'Your recovery codes',
  renaming: 'Rename the passkey',
  removing: 'Remove the passkey?',
}

interface PasskeysProps {
  session: SessionAnswer | null
  keys: Resource<readonly Passkey[]> & { reload: () => void }
  twoFactor: Resource<AnswerOf<typeof twoFactorStatus>>
  /** A passkey was added, renamed or removed: reload the security page. */
  onChanged: () => void
}

export function Passkeys({ session, keys, twoFactor, onChanged }: PasskeysProps) {
  const [dialog, setDialog] = useState<Dialog>({ step: 'nothing' })
  const panel = useRef<HTMLDivElement>(null)
  const close = () => setDialog({ step: 'nothing' })
  const end = (msg: string) => {
    close()
    toast.success(msg)
    onChanged()
    // The clicked button may have been removed with its passkey.
    panel.current?.focus()
  }
  const email = session?.email ?? ''
  // Waits for both resources, to avoid a layout shift.
  const isWaiting = keys.state === 'loading' || (keys.state === 'ready' && twoFactor.state === 'loading')
  const hasApp = twoFactor.state === 'ready' && twoFactor.data.methods.includes('totp')
  return (
    <Panel title="Passkeys">
      <div ref={panel} tabIndex={-1} className="stack">
        <p className="small soft">
          A passkey is stored on your phone, computer or security key. You confirm with your fingerprint, face
          or PIN instead of a code. A fake site cannot steal it.
        </p>
        {isWaiting && (
          <Waiting label="Loading your passkeys">
            <Skeleton width="medium" />
            <Skeleton width="medium" height="control" />
          </Waiting>
        )}
        {keys.state === 'failed' && <LoadFailure msg={keys.msg} onRetry={keys.reload} />}
        {keys.state === 'ready' && !isWaiting && (
          <>
            {keys.data.length > 0 && (
              <ul className={styles.list} aria-label="Passkeys">
                {keys.data.map((passkey) => (
                  <Row
                    key={passkey._id}
                    passkey={passkey}
                    onRename={() => setDialog({ step: 'renaming', passkey })}
                    onRemove={() => setDialog({ step: 'removing', passkey })}
                  />
                ))}
              </ul>
            )}
            {keys.data.length > 0 && twoFactor.state === 'ready' && (
              <p className="small soft">{describeCodesLeft(twoFactor.data.recoveryCodesLeft)}</p>
            )}
            <div className="row">
              <Button aria-haspopup="dialog" onClick={() => setDialog({ step: 'adding' })}>
                Add a Passkey
              </Button>
            </div>
          </>
        )}
      </div>
      <Modal
        open={dialog.step !== 'nothing'}
        onClose={close}
        title={TITLES[dialog.step]}
        dismissible={dialog.step !== 'keeping'}
      >
        {dialog.step === 'adding' && (
          <AddPasskey
            email={email}
            onDone={(codes) =>
              codes === undefined ? end('Your passkey was added.') : setDialog({ step: 'keeping', codes })
            }
          />
        )}
        {dialog.step === 'keeping' && (
          <RecoveryCodes
            title="Your passkey was added"
            codes={dialog.codes}
            email={email}
            onKept={() => end('Your passkey was added.')}
          />
        )}
        {dialog.step === 'renaming' && (
          <RenamePasskey passkey={dialog.passkey} onDone={() => end('The passkey has its new name.')} />
        )}
        {dialog.step === 'removing' && (
          <RemovePasskey
            passkey={dialog.passkey}
            email={email}
            isLast={keys.state === 'ready' && keys.data.length === 1 && !hasApp}
            onDone={() => end('The passkey was removed.')}
          />
        )}
      </Modal>
    </Panel>
  )
}

interface RowProps {
  passkey: Passkey
  onRename: () => void
  onRemove: () => void
}

function Row({ passkey: { name, createdAt, lastUsedAt, backedUp }, onRename, onRemove }: RowProps) {
  return (
    <li className={styles.entry}>
      <div className={styles.facts}>
        <p className={styles.name}>{name}</p>
        <p className="small soft">
          <span>{lastUsedAt === null ? 'Not used yet' : 'Last used '}</span>
          {lastUsedAt !== null && <DateTime at={lastUsedAt} />}
        </p>
        <p className="small soft">
          Added <DateTime at={createdAt} show="date" />
          <span>{backedUp ? ', backed up to other devices' : ', on this device only'}</span>
        </p>
      </div>
      <div className={styles.actions}>
        <Button size="small" aria-haspopup="dialog" onClick={onRename}>
          Rename<span className="visually-hidden"> {name}</span>
        </Button>
        <Button size="small" aria-haspopup="dialog" onClick={onRemove}>
          Remove<span className="visually-hidden"> {name}</span>
        </Button>
      </div>
    </li>
  )
}

function describeCodesLeft(codes: number): string {
  if (codes === 0) return 'No recovery code is left. Add a second passkey in case you lose a device.'
  return `If you lose a device, sign in with a recovery code. ${codes === 1 ? 'One is' : `${codes} are`} left.`
}

function RenamePasskey({ passkey, onDone }: { passkey: Passkey; onDone: () => void }) {
  const { shell, field } = useEndpointForm({
    endpoint: renamePasskey,
    params: { id: passkey._id },
    defaultValues: { name: passkey.name },
    focus: 'name',
    failures: 'form',
    onDone,
  })
  return (
    <Form {...shell} submitLabel="Save Name" label="Rename the passkey">
      <TextField label="Name" autoComplete="off" maxLength={60} {...field('name')} />
    </Form>
  )
}

interface RemovePasskeyProps {
  passkey: Passkey
  email: string
  isLast: boolean
  onDone: () => void
}

function RemovePasskey({ passkey, email, isLast, onDone }: RemovePasskeyProps) {
  return (
    <ConfirmedForm
      endpoint={removePasskey}
      params={{ id: passkey._id }}
      focus="password"
      onDone={onDone}
      email={email}
      submitLabel="Remove"
      submitVariant="danger"
      label="Remove the passkey"
    >
      <Notice tone="caution" title={`${isolate(passkey.name)} will no longer open your account`}>
        <span>
          {isLast
            ? 'Your password alone will open it. Your recovery codes stop working.'
            : 'Delete the passkey on the device as well.'}
        </span>{' '}
        <WithdrawalProof needs={isLast ? 'a code that we mail you' : 'extra proof'} />
      </Notice>
    </ConfirmedForm>
  )
}
