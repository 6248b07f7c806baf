import {
  type PublicKeyCredentialCreationOptionsJSON,
  type RegistrationResponseJSON,
  startAuthentication,
  startRegistration,
} from '@simplewebauthn/browser'
import { useState } from 'react'
import type { AnswerOf } from '../../contract/endpoint.ts'
import type { PasskeyQuestion } from '../../contract/fields.ts'
import type { passkeyOptions } from '../../contract/identity/passkeys.ts'
import { Button } from '../../design/Button.tsx'
import type { FormProps } from '../../design/Form.tsx'
import type { ApiFailure } from './ApiFailure.ts'

type Shell = Pick<FormProps, 'onSubmit' | 'pending' | 'formError'>

export interface PasskeyProof {
  /** Whether a passkey can be used here. */
  isOffered: boolean
  /** Whether the user confirms with a passkey now, not with a code. */
  isChosen: boolean
  choose: (method: 'passkey' | 'code') => void
  /** For the form's `onFailure`: takes the passkey challenge from the refusal. */
  onFailure: (failure: Pick<ApiFailure, 'passkey' | 'methods' | 'code' | 'msg'>) => void
  /** The form's shell with a submit that asks the passkey first. `send` receives its answer, blank for a code. */
  shellOf: (shell: Shell, send: (answer: string) => void) => Shell
}

/**
 * Confirms a form with a passkey if the server's refusal has a passkey challenge, or with a code instead.
 * @param given the challenge, if the caller already has it
 */
export function usePasskeyProof(given?: PasskeyQuestion): PasskeyProof {
  const [received, setReceived] = useState<PasskeyQuestion | null>(null)
  const question = given ?? received
  const [method, setMethod] = useState<'passkey' | 'code'>('passkey')
  const [isPrompting, setPrompting] = useState(false)
  const [problem, setProblem] = useState<string | null>(null)
  const isOffered = question !== null && typeof PublicKeyCredential === 'function'
  const isChosen = isOffered && method === 'passkey'
  return {
    isOffered,
    isChosen,
    choose: (next) => {
      setProblem(null)
      setMethod(next)
    },
    onFailure: ({ passkey, methods, code, msg }) => {
      // A challenge can be answered once: each refusal has a new one, or none if no passkey is accepted.
      if (methods !== undefined) setReceived(passkey ?? null)
      setProblem(code === 'invalid_passkey' ? msg : null)
    },
    shellOf: (shell, send) => ({
      pending: shell.pending || isPrompting,
      formError: problem ?? shell.formError,
      onSubmit: (event) => {
        event.preventDefault()
        setProblem(null)
        if (question === null || !isChosen) {
          send('')
          return shell.onSubmit(event)
        }
        setPrompting(true)
        void requestPasskey(question)
          .then((answer) => {
            send(answer)
            shell.onSubmit(event)
          })
          .catch((error: PasskeyProblem) => setProblem(error.message))
          .finally(() => setPrompting(false))
      },
    }),
  }
}

/** The button that switches between passkey and code. Hidden if no passkey can be used. */
export function PasskeyOrCode({ passkey, wide = false }: { passkey: PasskeyProof; wide?: boolean }) {
  if (!passkey.isOffered) return null
  return (
    <Button variant="quiet" wide={wide} onClick={() => passkey.choose(passkey.isChosen ? 'code' : 'passkey')}>
      {passkey.isChosen ? 'Use a code instead' : 'Use a passkey instead'}
    </Button>
  )
}

export type { RegistrationResponseJSON }

/** A passkey prompt that failed. The message is shown to the user. No answer was sent to the server. */
export class PasskeyProblem extends Error {
  override name = 'PasskeyProblem'
}

/** Prompts for a passkey. Returns its answer as JSON. Throws a `PasskeyProblem`. */
export async function requestPasskey(
  question: PasskeyQuestion,
  whatNow = 'Nothing was sent. Try again, or use a code.',
): Promise<string> {
  try {
    const { allowCredentials, ...options } = question
    const named = allowCredentials.map(({ transports, ...key }) => ({
      ...key,
      transports: transports as AuthenticatorTransport[],
    }))
    return JSON.stringify(await startAuthentication({ optionsJSON: { ...options, allowCredentials: named } }))
  } catch (error) {
    throw toPasskeyProblem(error, whatNow)
  }
}

/** Prompts to create a passkey. Throws a `PasskeyProblem`. */
export async function makePasskey(
  options: AnswerOf<typeof passkeyOptions>,
): Promise<RegistrationResponseJSON> {
  try {
    return await startRegistration({ optionsJSON: options as PublicKeyCredentialCreationOptionsJSON })
  } catch (error) {
    throw toPasskeyProblem(error, 'Nothing was added. You can try again now or later.')
  }
}

// For privacy, browsers report a closed prompt, a timeout and a device without the key as the same error.
function toPasskeyProblem(error: unknown, whatNow: string): PasskeyProblem {
  switch (getErrorName(error)) {
    case 'NotAllowedError':
    case 'AbortError':
      return new PasskeyProblem(`The prompt was closed, or no passkey answered in time. ${whatNow}`)
    case 'InvalidStateError':
      return new PasskeyProblem('This device already has a passkey for your account.')
    case 'NotSupportedError':
    case 'ConstraintError':
      return new PasskeyProblem(
        `This device does not support what a passkey needs, such as asking for a PIN. ${whatNow}`,
      )
    default:
      return new PasskeyProblem(`Your browser could not use a passkey here. ${whatNow}`)
  }
}

// The library wraps the browser's error.
function getErrorName(error: unknown): string {
  const cause = error instanceof Error && error.cause instanceof Error ? error.cause : error
  return cause instanceof Error ? cause.name : ''
}
