import {
  type PublicKeyCredentialCreationOptionsJSON,
  type RegistrationResponseJSON,
  startAuthentication,
  startRegistration,
} from '@simplewebauthn/browser'
import type { AnswerOf } from '../../contract/endpoint.ts'
import type { PasskeyQuestion } from '../../contract/fields.ts'
import type { passkeyOptions } from '../../contract/identity/passkeys.ts'

export type { RegistrationResponseJSON }

/** Why a passkey gave no answer, in words for a person. Nothing was sent. */
export class PasskeyProblem extends Error {
  override name = 'PasskeyProblem'
}

/** Has the browser ask for a passkey, and gives its answer as text. Throws a `PasskeyProblem`. */
export async function askPasskey(question: PasskeyQuestion): Promise<string> {
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

// Browsers tell little: a prompt that was closed, one that nobody answered and a device without the key are all the same.
function problemOf(error: unknown, whatNow: string): PasskeyProblem {
  switch (nameOf(error)) {
    case 'NotAllowedError':
    case 'AbortError':
      return new PasskeyProblem(`The prompt was closed, or no passkey answered in time. ${whatNow}`)
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
