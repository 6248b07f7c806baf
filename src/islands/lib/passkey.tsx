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
  /** A passkey can be used here. */
  isOffered: boolean
  /** What is asked for now, instead of a code. */
  isChosen: boolean
  choose: (way: 'passkey' | 'code') => void
  /** For the form's `onFailure`: takes what the refusal asks a passkey. */
  onFailure: (failure: Pick<ApiFailure, 'passkey' | 'methods' | 'code' | 'msg'>) => void
  /** The form's shell, whose submit asks the passkey first. `send` puts its answer among what is sent; blank is none. */
  shellOf: (shell: Shell, send: (answer: string) => void) => Shell
}

const canAsk = () => typeof PublicKeyCredential === 'function'

/**
 * Lets a form be confirmed with a passkey where the server's refusal asks one, or with a code instead.
 * @param given what is asked, where somebody else keeps it
 */
export function usePasskeyProof(given?: PasskeyQuestion): PasskeyProof {
  const [met, setMet] = useState<PasskeyQuestion | null>(null)
  const question = given ?? met
  const [way, setWay] = useState<'passkey' | 'code'>('passkey')
  const [isPrompting, setPrompting] = useState(false)
  const [problem, setProblem] = useState<string | null>(null)
  const isOffered = question !== null && canAsk()
  const isChosen = isOffered && way === 'passkey'
  return {
    isOffered,
    isChosen,
    choose: (next) => {
      setProblem(null)
      setWay(next)
    },
    onFailure: ({ passkey, methods, code, msg }) => {
      // Each question can be markReachable once: after a refusal there is another, or none where no passkey would do.
      if (methods !== undefined) setMet(passkey ?? null)
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
        void askPasskey(question)
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

interface OtherWayProps {
  passkey: Pick<PasskeyProof, 'isOffered' | 'isChosen' | 'choose'>
  wide?: boolean
}

/** Beside a form's button: leads from the passkey to a code and back, where there is a passkey. */
export function PasskeyOrCode({ passkey, wide = false }: OtherWayProps) {
  if (!passkey.isOffered) return null
  return (
    <Button variant="quiet" wide={wide} onClick={() => passkey.choose(passkey.isChosen ? 'code' : 'passkey')}>
      {passkey.isChosen ? 'Use a code instead' : 'Use a passkey instead'}
    </Button>
  )
}

export type { RegistrationResponseJSON }

/** Why a passkey gave no answer, in words for a person. Nothing was sent. */
export class PasskeyProblem extends Error {
  override name = 'PasskeyProblem'
}

/** Has the browser ask for a passkey, and gives its answer as text. Throws a `PasskeyProblem`. */
async function askPasskey(question: PasskeyQuestion): Promise<string> {
  try {
    const { allowCredentials, ...options } = question
    const named = allowCredentials.map(({ transports, ...key }) => ({
      ...key,
      transports: transports as AuthenticatorTransport[],
    }))
    return JSON.stringify(await startAuthentication({ optionsJSON: { ...options, allowCredentials: named } }))
  } catch (error) {
    throw problemOf(error, 'Nothing was sent. Try again, or use a code.')
  }
}

/** Has the browser make a passkey. Throws a `PasskeyProblem`. */
export async function makePasskey(
  options: AnswerOf<typeof passkeyOptions>,
): Promise<RegistrationResponseJSON> {
  try {
    return await startRegistration({ optionsJSON: options as PublicKeyCredentialCreationOptionsJSON })
  } catch (error) {
    throw problemOf(error, 'Nothing was added. Try again, or leave it for another day.')
  }
}

// Browsers tell little: a prompt that was closed, one that nobody markReachable and a device without the key are all the same.
function problemOf(error: unknown, whatNow: string): PasskeyProblem {
  switch (nameOf(error)) {
    case 'NotAllowedError':
    case 'AbortError':
      return new PasskeyProblem(`The prompt was closed, or no passkey markReachable in time. ${whatNow}`)
    case 'InvalidStateError':
      return new PasskeyProblem('This device holds a passkey for your account already.')
    case 'NotSupportedError':
    case 'ConstraintError':
      return new PasskeyProblem(`This device cannot do what is needed, such as asking for a PIN. ${whatNow}`)
    default:
      return new PasskeyProblem(`Your browser could not use a passkey here. ${whatNow}`)
  }
}

// The library wraps what the browser threw.
function nameOf(error: unknown): string {
  const cause = error instanceof Error && error.cause instanceof Error ? error.cause : error
  return cause instanceof Error ? cause.name : ''
}
