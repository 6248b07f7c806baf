import { useState } from 'react'
import type { AnswerOf } from '../../../contract/endpoint.ts'
import {
  firstCode,
  passwordAndProof,
  renewRecoveryCodes,
  twoFactorDisable,
  twoFactorEnable,
  twoFactorSetup,
  type twoFactorStatus,
} from '../../../contract/identity/factors.ts'
import type { SessionAnswer } from '../../../contract/identity/signIn.ts'
import { Button } from '../../../design/Button.tsx'
import { CopyButton } from '../../../design/CopyButton.tsx'
import { DateTime } from '../../../design/DateTime.tsx'
import { CodeField } from '../../../design/Field.tsx'
import { Form } from '../../../design/Form.tsx'
import { Modal } from '../../../design/Modal.tsx'
import { LoadFailure, Notice } from '../../../design/Notice.tsx'
import { Panel } from '../../../design/Panel.tsx'
import { PasswordField } from '../../../design/PasswordField.tsx'
import { QrCode } from '../../../design/QrCode.tsx'
import { Skeleton } from '../../../design/Skeleton.tsx'
import { Status } from '../../../design/Status.tsx'
import { toast } from '../../../design/toasts.ts'
import { AccountName } from '../../lib/AccountName.tsx'
import { call } from '../../lib/api.ts'
import { useEndpointForm } from '../../lib/endpointForm.ts'
import { Loaded, Waiting } from '../../lib/Loaded.tsx'
import { usePasskeyProof } from '../../lib/passkey.tsx'
import { type Resource, useResource } from '../../lib/resource.ts'
import { takeFocus } from '../../lib/takeFocus.ts'
import { ConfirmedForm } from './ConfirmedForm.tsx'
import { MailedCode, useMailedCode } from './MailedCode.tsx'
import styles from './Profile.module.css'
import { RecoveryCodes } from './RecoveryCodes.tsx'
import { WithdrawalProof } from './WithdrawalProof.tsx'

type Dialog =
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
  twoFactor: Resource<AnswerOf<typeof twoFactorStatus>> & { reload: () => void }
  /** The second factor or its recovery codes changed: reload the security page. */
  onChanged: () => void
}

export function SecondFactor({ session, twoFactor, onChanged }: SecondFactorProps) {
  const [dialog, setDialog] = useState<Dialog>({ step: 'nothing' })
  const [isChanged, setChanged] = useState(false)
  const email = session?.email ?? ''
  const methods = twoFactor.state === 'ready' ? twoFactor.data.methods : []
  const hasApp = methods.includes('totp')
  const hasPasskey = methods.includes('passkey')
  const close = () => setDialog({ step: 'nothing' })
  const end = () => {
    close()
    setChanged(true)
    onChanged()
  }
  return (
    <Panel
      title="Second factor"
      actions={
        twoFactor.state === 'ready' && (
          <Status
            status={twoFactor.data.on ? 'active' : 'off'}
            label={hasApp ? 'On' : hasPasskey ? 'By passkey' : 'Off'}
          />
        )
      }
    >
      {twoFactor.state === 'loading' && (
        <Waiting label="Loading your second factor">
          <Skeleton width="full" />
          <Skeleton width="long" />
          <Skeleton width="medium" height="control" />
        </Waiting>
      )}
      {twoFactor.state === 'failed' && <LoadFailure msg={twoFactor.msg} onRetry={twoFactor.reload} />}
      {twoFactor.state === 'ready' &&
        (hasApp ? (
          <On
            {...twoFactor.data}
            isMandatory={session?.role === 'operator' && !hasPasskey}
            takesFocus={isChanged}
            onRenew={() => setDialog({ step: 'renewing' })}
            onTurnOff={() => setDialog({ step: 'turning-off' })}
          />
        ) : (
          <Off
            hasPasskey={hasPasskey}
            isOperator={session?.role === 'operator'}
            takesFocus={isChanged}
            onSetUp={() => setDialog({ step: 'setting-up' })}
          />
        ))}
      <Modal
        open={dialog.step !== 'nothing'}
        onClose={close}
        title={TITLES[dialog.step]}
        dismissible={dialog.step !== 'keeping'}
      >
        {dialog.step === 'setting-up' && (
          <SetUpSecondFactor email={email} onDone={(codes) => setDialog({ step: 'keeping', codes })} />
        )}
        {dialog.step === 'keeping' && <RecoveryCodes {...dialog} email={email} onKept={end} />}
        {dialog.step === 'renewing' && (
          <RenewRecoveryCodes
            email={email}
            hasPasskey={hasPasskey}
            onDone={({ recoveryCodes: codes }) =>
              setDialog({ step: 'keeping', title: 'You have new recovery codes', codes })
            }
          />
        )}
        {dialog.step === 'turning-off' && (
          <TurnOffSecondFactor
            email={email}
            hasPasskey={hasPasskey}
            onDone={() => {
              toast.success(hasPasskey ? 'Your authenticator app is off.' : 'Your second factor is off.')
              end()
            }}
          />
        )}
      </Modal>
    </Panel>
  )
}

interface OffProps {
  hasPasskey: boolean
  isOperator: boolean
  /** Takes the focus, because the clicked button was removed. */
  takesFocus: boolean
  onSetUp: () => void
}

function Off({ hasPasskey, isOperator, takesFocus, onSetUp }: OffProps) {
  return (
    <>
      <p className="small soft">
        {hasPasskey
          ? 'You sign in with your passkey. An authenticator app lets you use a code where you have no passkey.'
          : `Signing in then also needs a code from an app on your phone. ${isOperator ? 'Without one, the console stays closed.' : 'Withdrawals to a new destination that you confirm with a code are not delayed.'}`}
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
  /** An operator's only second factor cannot be turned off. */
  isMandatory: boolean
  takesFocus: boolean
  onRenew: () => void
  onTurnOff: () => void
}

function On({ since, methods, recoveryCodesLeft, isMandatory, takesFocus, onRenew, onTurnOff }: OnProps) {
  return (
    <>
      <p className="small soft">
        Signing in needs a code from your authenticator app
        <span>{methods.includes('passkey') && ' or a passkey'}</span>
        {since && (
          <span>
            , since <DateTime at={since} show="date" />
          </span>
        )}
        <span>. {describeCodesLeft(recoveryCodesLeft)}</span>
      </p>
      {recoveryCodesLeft < 3 && (
        <Notice
          tone="caution"
          title={recoveryCodesLeft === 0 ? 'No recovery code is left' : 'Few recovery codes are left'}
        >
          If you lose your app, only a recovery code lets you sign in. Get new codes now.
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
      {isMandatory && <p className="small soft">An operator’s second factor cannot be removed.</p>}
    </>
  )
}

function describeCodesLeft(codes: number): string {
  if (codes === 0) return 'All recovery codes are used.'
  return codes === 1 ? 'One recovery code is left.' : `${codes} recovery codes are left.`
}

interface SetUpProps {
  email: string
  onDone: (recoveryCodes: readonly string[]) => void
}

/** Shows a new secret as a QR code and as text. Its first code turns the second factor on. */
function SetUpSecondFactor(props: SetUpProps) {
  const secret = useResource('secret', () => call(twoFactorSetup, { quiet: true }))
  return (
    <Loaded
      resource={secret}
      waiting={
        <Waiting label="Loading your secret">
          <Skeleton height="block" />
        </Waiting>
      }
    >
      {(data) => <Steps {...data} {...props} />}
    </Loaded>
  )
}

function Steps({ secret, otpauthUri, qr, email, onDone }: AnswerOf<typeof twoFactorSetup> & SetUpProps) {
  // An existing passkey has to confirm a new second factor.
  const passkey = usePasskeyProof()
  const mailed = useMailedCode()
  const { shell, field, form } = useEndpointForm({
    endpoint: twoFactorEnable,
    schema: firstCode,
    failures: 'form',
    beside: { wrong_password: 'password' },
    explained: ['invalid_code', 'second_factor_required', 'invalid_passkey', 'step_up_required'],
    onFailure: (failure) => {
      const { code, msg, fields } = failure
      // The passkey challenge stays valid: its answer is sent again with the mailed code.
      if (code === 'step_up_required') mailed.onFailure(failure, form)
      else passkey.onFailure(failure)
      if (code === 'invalid_code' && fields?.proof === undefined)
        form.setError('code', { message: `${msg} Wait for the next code in your app.` })
    },
    onDone: ({ recoveryCodes }) => onDone(recoveryCodes),
  })
  return (
    <ol className={styles.steps}>
      <li>
        <p>
          <a href={otpauthUri}>Open your authenticator app</a> on this device, or scan the code with it. Any
          will do: Aegis, Google Authenticator or your password manager.
        </p>
        <QrCode src={qr} alt="QR code with the key below" size={176}>
          <p className="small soft">Or type in this key:</p>
          <code translate="no" className={styles.key}>
            {secret.match(/.{1,4}/g)?.join(' ')}
          </code>
          <CopyButton text={secret} what="key" />
        </QrCode>
      </li>
      <li>
        <Form
          {...passkey.shellOf(shell, (answer) => form.setValue('passkey', answer))}
          submitLabel={passkey.isChosen ? 'Use Your Passkey' : 'Turn On'}
          label="First code"
        >
          <CodeField
            label="Code from the app"
            hint="Six digits that change every 30 seconds."
            {...field('code')}
          />
          <AccountName email={email} />
          <PasswordField
            label="Password"
            autoComplete="current-password"
            hint="To make sure that it is you."
            {...field('password')}
          />
          {mailed.isRequested && <MailedCode email={email} form={form} field={field('proof')} />}
          {passkey.isChosen && (
            <Notice live title="One more step">
              Follow your browser to confirm with your passkey.
            </Notice>
          )}
        </Form>
      </li>
    </ol>
  )
}

interface FactorFormProps<Answer> {
  email: string
  /** A passkey replaces the code, and stays when the app is turned off. */
  hasPasskey: boolean
  onDone: (answer: Answer) => void
}

function RenewRecoveryCodes({ email, hasPasskey, onDone }: FactorFormProps<{ recoveryCodes: string[] }>) {
  return (
    <ConfirmedForm
      endpoint={renewRecoveryCodes}
      schema={passwordAndProof}
      asksCodeAtOnce={!hasPasskey}
      focus="password"
      onDone={onDone}
      email={email}
      label="New recovery codes"
      submitLabel="Get New Codes"
    >
      <p className="small soft">
        You get ten new codes, and your old ones stop working. We confirm it by mail. <WithdrawalProof />
      </p>
    </ConfirmedForm>
  )
}

function TurnOffSecondFactor({ email, hasPasskey, onDone }: FactorFormProps<unknown>) {
  return (
    <ConfirmedForm
      endpoint={twoFactorDisable}
      schema={passwordAndProof}
      asksCodeAtOnce={!hasPasskey}
      focus="password"
      onDone={onDone}
      email={email}
      label="Turn off the second factor"
      submitLabel="Turn Off"
      submitVariant="danger"
    >
      {hasPasskey ? (
        <Notice tone="caution" title="Your password and a passkey will open your account">
          Your recovery codes keep working. <WithdrawalProof needs="extra proof" />
        </Notice>
      ) : (
        <Notice tone="caution" title="Your password alone will open your account">
          Your recovery codes stop working. <WithdrawalProof needs="a code that we mail you" />
        </Notice>
      )}
    </ConfirmedForm>
  )
}
