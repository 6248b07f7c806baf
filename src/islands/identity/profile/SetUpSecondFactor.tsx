import type { AnswerOf } from '../../../contract/endpoint.ts'
import { firstCode, twoFactorEnable, twoFactorSetup } from '../../../contract/identity/factors.ts'
import { CodeField } from '../../../design/CodeField.tsx'
import { CopyButton } from '../../../design/CopyButton.tsx'
import { Form } from '../../../design/Form.tsx'
import { LoadFailure } from '../../../design/LoadFailure.tsx'
import { Notice } from '../../../design/Notice.tsx'
import { PasswordField } from '../../../design/PasswordField.tsx'
import { QrCode } from '../../../design/QrCode.tsx'
import { Skeleton } from '../../../design/Skeleton.tsx'
import { AccountName } from '../../lib/AccountName.tsx'
import { call } from '../../lib/api.ts'
import { useEndpointForm } from '../../lib/endpointForm.ts'
import { usePasskeyProof } from '../../lib/passkey.tsx'
import { useResource } from '../../lib/resource.ts'
import { MailedCode, useMailedCode } from './MailedCode.tsx'
import styles from './SetUpSecondFactor.module.css'

interface SetUpProps {
  /** For password managers. */
  email: string
  /** The second factor is on; these codes are shown this once. */
  onDone: (recoveryCodes: readonly string[]) => void
}

/** Gives a new secret, as a picture and in letters, and turns the second factor on with a first code of it. */
export function SetUpSecondFactor(props: SetUpProps) {
  const secret = useResource('secret', () => call(twoFactorSetup, { quiet: true }))
  switch (secret.state) {
    case 'loading':
      return (
        <>
          <p role="status" className="visually-hidden">
            Loading your secret
          </p>
          <Skeleton height="block" />
        </>
      )
    case 'failed':
      return <LoadFailure msg={secret.msg} onRetry={secret.reload} />
    case 'ready':
      return <Steps {...secret.data} {...props} />
  }
}

function Steps({ secret, otpauthUri, qr, email, onDone }: AnswerOf<typeof twoFactorSetup> & SetUpProps) {
  // Where there is a passkey already, it has to agree.
  const passkey = usePasskeyProof()
  const mailed = useMailedCode()
  const { shell, field, form } = useEndpointForm({
    endpoint: twoFactorEnable,
    schema: firstCode,
    failures: 'form',
    explained: [
      'wrong_password',
      'invalid_code',
      'second_factor_required',
      'invalid_passkey',
      'step_up_required',
    ],
    onFailure: (failure) => {
      const { code, msg, fields } = failure
      // The passkey's question stays open: its answer goes along with the mailed code.
      if (code === 'step_up_required') mailed.meet(failure, form)
      else passkey.meet(failure)
      if (code === 'wrong_password') form.setError('password', { message: msg })
      if (code === 'invalid_code' && fields?.proof === undefined)
        form.setError('code', { message: `${msg} Wait for the next one of your app.` })
    },
    onDone: ({ recoveryCodes }) => onDone(recoveryCodes),
  })
  return (
    <ol className={styles.steps}>
      <li>
        <p>
          Scan this with an authenticator app, such as Aegis, Google Authenticator or the one of your password
          manager.
        </p>
        <QrCode src={qr} alt="QR code that holds the key below" size={176}>
          <p className="small soft">
            On this device, <a href={otpauthUri}>open it in your app</a>. Or type in this key:
          </p>
          <code className={styles.key}>{secret.match(/.{1,4}/g)?.join(' ')}</code>
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
            label="Code that the app shows"
            hint="Six digits, new every 30 seconds."
            {...field('code')}
          />
          <AccountName email={email} />
          <PasswordField
            label="Password"
            autoComplete="current-password"
            hint="So that nobody who finds this page open can do it."
            {...field('password')}
          />
          {mailed.isAsked && <MailedCode email={email} form={form} field={field('proof')} />}
          {passkey.isChosen && (
            <Notice live title="One more step">
              Confirm with your passkey: your browser shows how.
            </Notice>
          )}
        </Form>
      </li>
    </ol>
  )
}
