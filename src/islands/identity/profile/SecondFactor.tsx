import { useState } from 'react'
import type { AnswerOf } from '../../../contract/endpoint.ts'
import type { twoFactorStatus } from '../../../contract/identity/factors.ts'
import type { SessionAnswer } from '../../../contract/identity/signIn.ts'
import { Button } from '../../../design/Button.tsx'
import { DateTime } from '../../../design/DateTime.tsx'
import { LoadFailure } from '../../../design/LoadFailure.tsx'
import { Modal } from '../../../design/Modal.tsx'
import { Notice } from '../../../design/Notice.tsx'
import { Panel } from '../../../design/Panel.tsx'
import { Skeleton } from '../../../design/Skeleton.tsx'
import { Status } from '../../../design/Status.tsx'
import { toast } from '../../../design/toasts.ts'
import type { Resource } from '../../lib/resource.ts'
import { RecoveryCodes } from './RecoveryCodes.tsx'
import { RenewRecoveryCodes } from './RenewRecoveryCodes.tsx'
import { SetUpSecondFactor } from './SetUpSecondFactor.tsx'
import { TurnOffSecondFactor } from './TurnOffSecondFactor.tsx'
import { takeFocus } from './takeFocus.ts'

/** What the dialog is about. Recovery codes are shown once, so their dialog is left by its own button only. */
type Doing =
  | { step: 'nothing' }
  | { step: 'setting-up' }
  | { step: 'keeping'; title?: string; codes: readonly string[] }
  | { step: 'renewing' }
  | { step: 'turning-off' }

const TITLES = {
  nothing: '',
  'setting-up': 'Set up the second factor',
  keeping: 'Your recovery codes',
  renewing: 'New recovery codes',
  'turning-off': 'Turn off the second factor',
}

interface SecondFactorProps {
  session: SessionAnswer | null
  standing: Resource<AnswerOf<typeof twoFactorStatus>> & { reload: () => void }
  /** It was turned on or off, or has new recovery codes: what is shown is to be loaded anew. */
  onChanged: () => void
}

/** Whether signing in asks for a code too, and how that is turned on and off. */
export function SecondFactor({ session, standing, onChanged }: SecondFactorProps) {
  const [doing, setDoing] = useState<Doing>({ step: 'nothing' })
  const [wasChanged, setChanged] = useState(false)
  const methods = standing.state === 'ready' ? standing.data.methods : []
  const byApp = methods.includes('totp')
  const byPasskey = methods.includes('passkey')
  const close = () => setDoing({ step: 'nothing' })
  const end = () => {
    close()
    setChanged(true)
    onChanged()
  }
  return (
    <Panel
      title="Second factor"
      actions={
        standing.state === 'ready' && (
          <Status
            status={standing.data.on ? 'active' : 'off'}
            label={byApp ? 'On' : byPasskey ? 'By passkey' : 'Off'}
          />
        )
      }
    >
      {standing.state === 'loading' && <Waiting />}
      {standing.state === 'failed' && <LoadFailure msg={standing.msg} onRetry={standing.reload} />}
      {standing.state === 'ready' &&
        (byApp ? (
          <On
            {...standing.data}
            isMandatory={session?.role === 'operator' && !byPasskey}
            takesFocus={wasChanged}
            onRenew={() => setDoing({ step: 'renewing' })}
            onTurnOff={() => setDoing({ step: 'turning-off' })}
          />
        ) : (
          <Off
            byPasskey={byPasskey}
            takesFocus={wasChanged}
            onSetUp={() => setDoing({ step: 'setting-up' })}
          />
        ))}
      <Modal
        open={doing.step !== 'nothing'}
        onClose={close}
        title={TITLES[doing.step]}
        dismissible={doing.step !== 'keeping'}
      >
        {doing.step === 'setting-up' && (
          <SetUpSecondFactor
            email={session?.email ?? ''}
            onDone={(codes) => setDoing({ step: 'keeping', codes })}
          />
        )}
        {doing.step === 'keeping' && <RecoveryCodes {...doing} email={session?.email ?? ''} onKept={end} />}
        {doing.step === 'renewing' && (
          <RenewRecoveryCodes
            email={session?.email ?? ''}
            hasPasskey={byPasskey}
            onDone={(codes) => setDoing({ step: 'keeping', title: 'You have new recovery codes', codes })}
          />
        )}
        {doing.step === 'turning-off' && (
          <TurnOffSecondFactor
            email={session?.email ?? ''}
            hasPasskey={byPasskey}
            onDone={() => {
              toast.success(byPasskey ? 'Your authenticator app is off.' : 'Your second factor is off.')
              end()
            }}
          />
        )}
      </Modal>
    </Panel>
  )
}

function Waiting() {
  return (
    <>
      <p role="status" className="visually-hidden">
        Loading your second factor
      </p>
      <Skeleton width="full" />
      <Skeleton width="long" />
      <Skeleton width="medium" height="control" />
    </>
  )
}

interface OffProps {
  byPasskey: boolean
  /** The button that was pressed is gone: the one in its place has the focus. */
  takesFocus: boolean
  onSetUp: () => void
}

function Off({ byPasskey, takesFocus, onSetUp }: OffProps) {
  return (
    <>
      <p className="small soft">
        {byPasskey
          ? 'Signing in asks for your passkey. With an authenticator app as well, a code of it will do where no passkey is at hand.'
          : 'With it, signing in asks for a code from an app on your phone as well, so that your password alone opens nothing. Withdrawals that you confirm with one do not wait, even if the destination is new.'}
      </p>
      <div className="row">
        <Button
          ref={takesFocus ? takeFocus : null}
          variant="primary"
          aria-haspopup="dialog"
          onClick={onSetUp}
        >
          Set Up
        </Button>
      </div>
    </>
  )
}

interface OnProps {
  since: string | null
  methods: readonly string[]
  recoveryCodesLeft: number
  /** An operator’s only second factor. */
  isMandatory: boolean
  takesFocus: boolean
  onRenew: () => void
  onTurnOff: () => void
}

function On({ since, methods, recoveryCodesLeft, isMandatory, takesFocus, onRenew, onTurnOff }: OnProps) {
  return (
    <>
      <p className="small soft">
        Signing in asks for a code of your authenticator app
        {methods.includes('passkey') && ', or for a passkey'}
        {since && (
          <>
            , since <DateTime at={since} show="date" />
          </>
        )}
        . {leftWords(recoveryCodesLeft)}
      </p>
      {recoveryCodesLeft < 3 && (
        <Notice
          tone="caution"
          title={recoveryCodesLeft === 0 ? 'No recovery code is left' : 'Few recovery codes are left'}
        >
          Without your app and without codes you cannot sign in. Get new ones while you have your app.
        </Notice>
      )}
      <div className="row">
        <Button ref={takesFocus ? takeFocus : null} aria-haspopup="dialog" onClick={onRenew}>
          New Recovery Codes
        </Button>
        {!isMandatory && (
          <Button aria-haspopup="dialog" onClick={onTurnOff}>
            Turn Off
          </Button>
        )}
      </div>
      {isMandatory && <p className="small soft">An operator’s second factor cannot be taken off.</p>}
    </>
  )
}

function leftWords(codes: number): string {
  if (codes === 0) return 'Every recovery code was used.'
  return codes === 1 ? 'One recovery code is left.' : `${codes} recovery codes are left.`
}
