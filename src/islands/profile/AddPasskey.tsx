import { useEffect, useEffectEvent, useState } from 'react'
import type { AnswerOf } from '../../contract/endpoint.ts'
import { addPasskey, newPasskey, passkeyOptions } from '../../contract/passkeys.ts'
import { Button } from '../../design/Button.tsx'
import { Form } from '../../design/Form.tsx'
import { Notice } from '../../design/Notice.tsx'
import { PasswordField } from '../../design/PasswordField.tsx'
import { TextField } from '../../design/TextField.tsx'
import { AccountName } from '../lib/AccountName.tsx'
import { ApiFailure } from '../lib/ApiFailure.ts'
import { useAction } from '../lib/action.ts'
import { call } from '../lib/api.ts'
import { failureWords } from '../lib/failureWords.ts'
import { OtherWay } from '../lib/OtherWay.tsx'
import { makePasskey, PasskeyProblem } from '../lib/passkeyPrompt.ts'
import { useConfirmedForm } from './confirmedForm.ts'
import { SecondStep } from './SecondStep.tsx'

type Options = AnswerOf<typeof passkeyOptions>

interface AddPasskeyProps {
  /** For password managers. */
  email: string
  /** It was added; with recovery codes, shown this once, where it is the first second factor. */
  onDone: (recoveryCodes: readonly string[] | undefined) => void
}

/** Asks who adds the passkey, then has the browser make it. */
export function AddPasskey({ email, onDone }: AddPasskeyProps) {
  const [begun, setBegun] = useState<{ name: string; options: Options } | null>(null)
  const [refusal, setRefusal] = useState<string | null>(null)
  if (typeof PublicKeyCredential !== 'function')
    return (
      <Notice tone="caution" title="This browser has no passkeys">
        Use a newer browser or another device, or set up an authenticator app instead.
      </Notice>
    )
  return begun === null ? (
    <Who
      email={email}
      refusal={refusal}
      onBegun={(name, options) => {
        setRefusal(null)
        setBegun({ name, options })
      }}
    />
  ) : (
    <Making
      {...begun}
      onDone={onDone}
      onRefused={(msg) => {
        setRefusal(msg)
        setBegun(null)
      }}
    />
  )
}

interface WhoProps {
  email: string
  /** What became of the last time. */
  refusal: string | null
  onBegun: (name: string, options: Options) => void
}

function Who({ email, refusal, onBegun }: WhoProps) {
  const { shell, field, form, proof } = useConfirmedForm({
    endpoint: passkeyOptions,
    schema: newPasskey,
    bodyOf: ({ name: _name, ...who }) => who,
    onDone: (options, { name }) => onBegun(name, options),
  })
  const focusFirst = useEffectEvent(() => form.setFocus('name'))
  useEffect(() => focusFirst(), [])
  return (
    <Form
      {...shell}
      submitLabel="Continue"
      label="Add a passkey"
      actions={<OtherWay passkey={proof.passkey} />}
    >
      {refusal !== null && (
        <Notice tone="danger" live>
          {refusal}
        </Notice>
      )}
      <TextField
        label="Name"
        hint="By which you will know it: the device, or the colour of the security key."
        autoComplete="off"
        maxLength={60}
        {...field('name')}
      />
      <AccountName email={email} />
      <PasswordField
        label="Password"
        autoComplete="current-password"
        hint="So that nobody who finds this page open can do it."
        {...field('password')}
      />
      <SecondStep proof={proof} code={field('code')} />
    </Form>
  )
}

interface MakingProps {
  name: string
  options: Options
  onDone: AddPasskeyProps['onDone']
  /** The server did not take it, as after five minutes: it has to be begun again. */
  onRefused: (msg: string) => void
}

/** The browser's prompt, as often as it takes: what was shown before it holds for five minutes. */
function Making({ name, options, onDone, onRefused }: MakingProps) {
  const [problem, setProblem] = useState<string | null>(null)
  const { busy, start } = useAction(async () => {
    setProblem(null)
    try {
      const response = await makePasskey(options)
      const { recoveryCodes } = await call(addPasskey, {
        body: { name, response: { ...response } },
        quiet: true,
      })
      onDone(recoveryCodes)
    } catch (error) {
      if (error instanceof PasskeyProblem) setProblem(error.message)
      // Only where no answer came is the same key worth another try.
      else if (error instanceof ApiFailure && error.status > 0 && error.status < 500) onRefused(error.msg)
      else setProblem(failureWords(error))
    }
  })
  const begin = useEffectEvent(start)
  useEffect(() => begin(), [])
  return (
    <>
      {problem === null ? (
        <Notice live title="Your browser asks where to keep it">
          Follow what it shows. This goes on by itself.
        </Notice>
      ) : (
        <Notice key={problem} tone="danger" live>
          {problem}
        </Notice>
      )}
      <Button variant="primary" busy={busy} onClick={start}>
        {problem === null ? 'Waiting for Your Browser' : 'Try Again'}
      </Button>
    </>
  )
}
