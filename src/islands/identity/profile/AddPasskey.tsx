import { useEffect, useEffectEvent, useState } from 'react'
import type { AnswerOf } from '../../../contract/endpoint.ts'
import { addPasskey, mailedProof, newPasskey, passkeyOptions } from '../../../contract/identity/passkeys.ts'
import { Button } from '../../../design/Button.tsx'
import { TextField } from '../../../design/Field.tsx'
import { Form } from '../../../design/Form.tsx'
import { Notice } from '../../../design/Notice.tsx'
import { ApiFailure, describeFailure } from '../../lib/ApiFailure.ts'
import { useAction } from '../../lib/action.ts'
import { call } from '../../lib/api.ts'
import { useEndpointForm } from '../../lib/endpointForm.ts'
import { makePasskey, PasskeyProblem, type RegistrationResponseJSON } from '../../lib/passkey.tsx'
import { ConfirmedForm } from './ConfirmedForm.tsx'
import { MailedCode, useMailedCode } from './MailedCode.tsx'

type Options = AnswerOf<typeof passkeyOptions>

interface AddPasskeyProps {
  email: string
  /** Receives recovery codes if this is the first second factor. They are shown only once. */
  onDone: (recoveryCodes: readonly string[] | undefined) => void
}

export function AddPasskey({ email, onDone }: AddPasskeyProps) {
  const [started, setStarted] = useState<{ name: string; options: Options } | null>(null)
  const [created, setCreated] = useState<RegistrationResponseJSON | null>(null)
  const [refusal, setRefusal] = useState<string | null>(null)
  if (typeof PublicKeyCredential !== 'function')
    return (
      <Notice tone="caution" title="This browser has no passkeys">
        Use a newer browser, another device or an authenticator app.
      </Notice>
    )
  if (started === null)
    return (
      <StartForm
        email={email}
        refusal={refusal}
        onStarted={(name, options) => {
          setRefusal(null)
          setStarted({ name, options })
        }}
      />
    )
  const onRefused = (msg: string) => {
    setRefusal(msg)
    setCreated(null)
    setStarted(null)
  }
  return created === null ? (
    <CreateStep {...started} onDone={onDone} onMailed={setCreated} onRefused={onRefused} />
  ) : (
    <MailedCodeStep
      name={started.name}
      created={created}
      email={email}
      onDone={onDone}
      onRefused={onRefused}
    />
  )
}

interface StartFormProps {
  email: string
  refusal: string | null
  onStarted: (name: string, options: Options) => void
}

function StartForm({ email, refusal, onStarted }: StartFormProps) {
  return (
    <ConfirmedForm
      endpoint={passkeyOptions}
      schema={newPasskey}
      bodyOf={({ name: _name, ...confirmation }) => confirmation}
      focus="name"
      onDone={(options, { name }) => onStarted(name, options)}
      email={email}
      passwordHint="To make sure that it is you."
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
            hint="To recognise it later, such as the device’s name."
            autoComplete="off"
            maxLength={60}
            {...field('name')}
          />
        </>
      )}
    </ConfirmedForm>
  )
}

interface CreateStepProps {
  name: string
  options: Options
  onDone: AddPasskeyProps['onDone']
  /** The passkey was created; a mailed code has to confirm it. */
  onMailed: (created: RegistrationResponseJSON) => void
  /** The server refused the passkey, for example because the options expired: start again. */
  onRefused: (msg: string) => void
}

interface MailedCodeStepProps {
  name: string
  created: RegistrationResponseJSON
  email: string
  onDone: AddPasskeyProps['onDone']
  onRefused: CreateStepProps['onRefused']
}

function MailedCodeStep({ name, created, email, onDone, onRefused }: MailedCodeStepProps) {
  const mailed = useMailedCode(true)
  const { shell, field, form } = useEndpointForm({
    endpoint: addPasskey,
    schema: mailedProof,
    bodyOf: ({ proof }) => ({ name, response: { ...created }, proof }),
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

/** Opens the browser's prompt. It can be opened again while the options are valid, which is five minutes. */
function CreateStep({ name, options, onDone, onMailed, onRefused }: CreateStepProps) {
  const [problem, setProblem] = useState<string | null>(null)
  const { busy, start } = useAction(async () => {
    setProblem(null)
    let created: RegistrationResponseJSON | undefined
    try {
      created = await makePasskey(options)
      const { recoveryCodes } = await call(addPasskey, {
        body: { name, response: { ...created } },
        quiet: true,
      })
      onDone(recoveryCodes)
    } catch (error) {
      if (error instanceof ApiFailure && error.code === 'step_up_required' && created) onMailed(created)
      else if (error instanceof PasskeyProblem) setProblem(error.message)
      // The same passkey can be sent again only if the server did not answer or failed.
      else if (error instanceof ApiFailure && error.status > 0 && error.status < 500) onRefused(error.msg)
      else setProblem(describeFailure(error))
    }
  })
  const openPrompt = useEffectEvent(start)
  useEffect(() => openPrompt(), [])
  return (
    <>
      {problem === null ? (
        <Notice live title="Your browser asks where to keep it">
          Follow its instructions.
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
