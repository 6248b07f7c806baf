import type { AnswerOf } from '../../src/contract/endpoint.ts'
import type { PasskeyQuestion } from '../../src/contract/fields.ts'
import type { addPasskey, passkeyOptions } from '../../src/contract/identity/passkeys.ts'
import { type Authenticator, newAuthenticator } from './authenticator.ts'
import { withMailedCode } from './factors.ts'
import { type AnyBody, call, type Reply } from './http.ts'
import type { Person } from './people.ts'

export type Options = AnswerOf<typeof passkeyOptions>
export type Added = AnswerOf<typeof addPasskey>
/** A refusal with a passkey challenge. */
export type Asking = AnyBody & { readonly passkey: PasskeyQuestion }

type Proof = Readonly<Record<string, unknown>>

/** Starts to add a passkey, with the password. */
export function begin<T = Options & Asking>(
  { token, password }: Person,
  proof: Proof = {},
): Promise<Reply<T>> {
  return call<T>('POST', '/users/passkeys/options', { token, json: { password, ...proof } })
}

/** Sends a new passkey, with the mailed code if given. */
export function send(
  { token }: Pick<Person, 'token'>,
  response: unknown,
  fields: Proof = {},
): Promise<Reply<Added & AnyBody>> {
  const json = { name: 'Ana’s phone', response, ...fields }
  return call<Added & AnyBody>('POST', '/users/passkeys', { token, json })
}

/** Sends a new passkey, and repeats it with the mailed code if requested. */
export function add(
  person: Pick<Person, 'token' | 'email'>,
  response: unknown,
  name = 'Ana’s phone',
): Promise<Reply<Added & AnyBody>> {
  return withMailedCode<Added & AnyBody>(person, (proof) =>
    send(person, response, { name, ...(proof !== undefined && { proof }) }),
  )
}

/** Adds a passkey on a new device through the API. */
export async function withPasskey(
  person: Person,
  proof: Proof = {},
  device?: Authenticator,
): Promise<{ device: Authenticator; id: string; recoveryCodes: string[] }> {
  const authenticator = device ?? (await newAuthenticator())
  const options = await begin(person, proof)
  if (options.status !== 200) throw new Error(`No options: ${JSON.stringify(options.body)}`)
  const added = await add(person, await authenticator.create(options.body))
  if (added.status !== 201) throw new Error(`Not added: ${JSON.stringify(added.body)}`)
  return { device: authenticator, id: added.body.passkey._id, recoveryCodes: added.body.recoveryCodes ?? [] }
}
