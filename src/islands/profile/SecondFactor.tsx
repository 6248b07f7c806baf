import { useState } from 'react'
import { type SessionAnswer, twoFactorStanding } from '../../contract/auth.ts'
import { Button } from '../../design/Button.tsx'
import { DateTime } from '../../design/DateTime.tsx'
import { LoadFailure } from '../../design/LoadFailure.tsx'
import { Modal } from '../../design/Modal.tsx'
import { Notice } from '../../design/Notice.tsx'
import { Panel } from '../../design/Panel.tsx'
import { Skeleton } from '../../design/Skeleton.tsx'
import { Status } from '../../design/Status.tsx'
import { toast } from '../../design/toasts.ts'
import { call } from '../lib/api.ts'
import { useResource } from '../lib/resource.ts'
import { OnDemand } from './OnDemand.tsx'
import { takeFocus } from './takeFocus.ts'

/** What the dialog is about. Recovery codes are shown once, so their dialog is left by its own button only. */
type Doing =
  | { step: 'nothing' }
  | { step: 'setting-up' }
  | { step: 'keeping'; codes: readonly string[] }
  | { step: 'turning-off' }

const TITLES = {
  nothing: '',
  'setting-up': 'Set up the second factor',
  keeping: 'Your recovery codes',
  'turning-off': 'Turn off the second factor',
}

interface SecondFactorProps {
  session: SessionAnswer | null
  /** It was turned on or off. */
  onChanged: () => void
}

/** Whether signing in asks for a code too, and how that is turned on and off. */
export function SecondFactor({ session, onChanged }: SecondFactorProps) {
  const standing = useResource('second factor', () => call(twoFactorStanding))
  const [doing, setDoing] = useState<Doing>({ step: 'nothing' })
  const [wasChanged, setChanged] = useState(false)
  const close = () => setDoing({ step: 'nothing' })
  const end = () => {
    close()
    setChanged(true)
    standing.reload()
    onChanged()
  }
  return (
    <Panel
      title="Second factor"
      actions={
        standing.state === 'ready' && (
          <Status status={standing.data.on ? 'active' : 'off'} label={standing.data.on ? 'On' : 'Off'} />
        )
      }
    >
      {standing.state === 'loading' && <Waiting />}
      {standing.state === 'failed' && <LoadFailure msg={standing.msg} onRetry={standing.reload} />}
      {standing.state === 'ready' &&
        (standing.data.on ? (
          <On
            {...standing.data}
            isOperator={session?.role === 'operator'}
            takesFocus={wasChanged}
            onTurnOff={() => setDoing({ step: 'turning-off' })}
          />
        ) : (
          <Off takesFocus={wasChanged} onSetUp={() => setDoing({ step: 'setting-up' })} />
        ))}
      <Modal
        open={doing.step !== 'nothing'}
        onClose={close}
        title={TITLES[doing.step]}
        dismissible={doing.step !== 'keeping'}
      >
        {doing.step === 'setting-up' && (
          <OnDemand name="set-up" load={() => import('./SetUpSecondFactor.tsx')}>
            {({ SetUpSecondFactor }) => (
              <SetUpSecondFactor
                email={session?.email ?? ''}
                onDone={(codes) => setDoing({ step: 'keeping', codes })}
              />
            )}
          </OnDemand>
        )}
        {doing.step === 'keeping' && (
          <OnDemand name="recovery-codes" load={() => import('./RecoveryCodes.tsx')}>
            {({ RecoveryCodes }) => (
              <RecoveryCodes codes={doing.codes} email={session?.email ?? ''} onKept={end} />
            )}
          </OnDemand>
        )}
        {doing.step === 'turning-off' && (
          <OnDemand name="turn-off" load={() => import('./TurnOffSecondFactor.tsx')}>
            {({ TurnOffSecondFactor }) => (
              <TurnOffSecondFactor
                email={session?.email ?? ''}
                onDone={() => {
                  toast.success('Your second factor is off.')
                  end()
                }}
              />
            )}
          </OnDemand>
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
      <Skeleton width="long" />
      <Skeleton width="medium" height="control" />
    </>
  )
}

interface OffProps {
  /** The button that was pressed is gone: the one in its place has the focus. */
  takesFocus: boolean
  onSetUp: () => void
}

function Off({ takesFocus, onSetUp }: OffProps) {
  return (
    <>
      <p className="small soft">
        With it, signing in asks for a code from an app on your phone as well, so that your password alone
        opens nothing. Withdrawals that you confirm with one do not wait, even if the destination is new.
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
  recoveryCodesLeft: number
  isOperator: boolean
  takesFocus: boolean
  onTurnOff: () => void
}

function On({ since, recoveryCodesLeft, isOperator, takesFocus, onTurnOff }: OnProps) {
  return (
    <>
      <p className="small soft">
        Signing in asks for a code of your authenticator app
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
          {isOperator
            ? 'Without your app and without codes you cannot sign in. Ask another operator to reset your second factor.'
            : 'For new ones, turn the second factor off and set it up again.'}
        </Notice>
      )}
      {isOperator ? (
        <p className="small soft">An operator’s second factor cannot be taken off.</p>
      ) : (
        <div className="row">
          <Button ref={takesFocus ? takeFocus : null} aria-haspopup="dialog" onClick={onTurnOff}>
            Turn Off
          </Button>
        </div>
      )}
    </>
  )
}

function leftWords(codes: number): string {
  if (codes === 0) return 'Every recovery code was used.'
  return codes === 1 ? 'One recovery code is left.' : `${codes} recovery codes are left.`
}
