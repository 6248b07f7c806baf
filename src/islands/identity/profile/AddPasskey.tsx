import { useEffect, useEffectEvent, useState } from 'react'
import type { AnswerOf } from '../../../contract/endpoint.ts'
import { addPasskey, mailedProof, newPasskey, passkeyOptions } from '../../../contract/identity/passkeys.ts'
import { Button } from '../../../design/Button.tsx'
import { TextField } from '../../../design/Field.tsx'
import { Form } from '../../../design/Form.tsx'
import { Notice } from '../../../design/Notice.tsx'
import { ApiFailure, failureWords } from '../../lib/ApiFailure.ts'
import { useAction } from '../../lib/action.ts'
import { call } from '../../lib/api.ts'
import { useEndpointForm } from '../../lib/endpointForm.ts'
import { makePasskey, PasskeyProblem, type RegistrationResponseJSON } from '../../lib/passkey.tsx'
import { ConfirmedForm } from './ConfirmedForm.tsx'
import { MailedCode, useMailedCode } from './MailedCode.tsx'

type Options = AnswerOf<typeof passkeyOptions>

interface AddPasskeyProps {
  /** For password managers. */
  email: string
  /** Recovery codes come with the first second factor and are shown this once. */
  onDone: (recoveryCodes: readonly string[] | undefined) => void
}

/** Asks for the password, then has the browser create the passkey. */
export function AddPasskey({ email, onDone }: AddPasskeyProps) {
  const [begun, setBegun] = useState<{ name: string; options: Options } | null>(null)
  const [made, setMade] = useState<RegistrationResponseJSON | null>(null)
  const [refusal, setRefusal] = useState<string | null>(null)
  if (typeof PublicKeyCredential !== 'function')
    return (
      <Notice tone="caution" title="This browser has no passkeys">
        Use a newer browser or another device, or set up an authenticator app instead.
      </Notice>
    )
  if (begun === null)
    return (
      <Who
        email={email}
        refusal={refusal}
        onBegun={(name, options) => {
          setRefusal(null)
          setBegun({ name, options })
        }}
      />
    )
  const onRefused = (msg: string) => {
    setRefusal(msg)
    setMade(null)
    setBegun(null)
  }
  return made === null ? (
    <Making {...begun} onDone={onDone} onMailed={setMade} onRefused={onRefused} />
  ) : (
    <Confirming name={begun.name} made={made} email={email} onDone={onDone} onRefused={onRefused} />
  )
}

interface WhoProps {
  email: string
  /** Why the last attempt failed. */
  refusal: string | null
  onBegun: (name: string, options: Options) => void
}

function Who({ email, refusal, onBegun }: WhoProps) {
  return (
    <ConfirmedForm
      endpoint={passkeyOptions}
      schema={newPasskey}
      bodyOf={({ name: _name, ...who }) => who}
      focus="name"
      onDone={(options, { name }) => onBegun(name, options)}
      email={email}
      passwordHint="So that nobody who finds this page open can do it."
      submitLabel="Continue"
      label="Add a passkey"
    >
      {(field) => (
        <>
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
        </>
      )}
    </ConfirmedForm>
  )
}

interface MakingProps {
  name: string
  options: Options
  onDone: AddPasskeyProps['onDone']
  /** The passkey was created; a mailed code has to confirm it. */
  onMailed: (made: RegistrationResponseJSON) => void
  /** The server refused the passkey, for example because five minutes had passed: start again. */
  onRefused: (msg: string) => void
}

interface ConfirmingProps {
  name: string
  made: RegistrationResponseJSON
  email: string
  onDone: AddPasskeyProps['onDone']
  onRefused: MakingProps['onRefused']
}

/** Asks for the mailed code and sends the passkey again with it. */
function Confirming({ name, made, email, onDone, onRefused }: ConfirmingProps) {
  const mailed = useMailedCode(true)
  const { shell, field, form } = useEndpointForm({
    endpoint: addPasskey,
    schema: mailedProof,
    bodyOf: ({ proof }) => ({ name, response: { ...made }, proof }),
    failures: 'form',
    explained: ['step_up_required', 'invalid_passkey'],
    onFailure: (failure) => {
      mailed.onFailure(failure, form)
      if (failure.code === 'invalid_passkey') onRefused(failure.msg)
    },
    onDone: ({ recoveryCodes }) => onDone(recoveryCodes),
  })
  return (
    <Form {...shell} submitLabel="Add This Passkey" label="Confirm the passkey">
      <MailedCode email={email} form={form} field={field('proof')} />
    </Form>
  )
}

/** Opens the browser's prompt, again on request: the options are valid for five minutes. */
function Making({ name, options, onDone, onMailed, onRefused }: MakingProps) {
  const [problem, setProblem] = useState<string | null>(null)
  const { busy, start } = useAction(async () => {
    setProblem(null)
    let made: RegistrationResponseJSON | undefined
    try {
      made = await makePasskey(options)
      const { recoveryCodes } = await call(addPasskey, {
        body: { name, response: { ...made } },
        quiet: true,
      })
      onDone(recoveryCodes)
    } catch (error) {
      if (error instanceof ApiFailure && error.code === 'step_up_required' && made) onMailed(made)
      else if (error instanceof PasskeyProblem) setProblem(error.message)
      // Only without an answer can the same passkey be sent again.
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
