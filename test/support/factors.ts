import { env } from 'cloudflare:workers'
import { totpCode } from './codes.ts'
import { call, type Reply } from './http.ts'
import { mailTo } from './mailbox.ts'
import type { Person } from './people.ts'
import { withTriggerDropped } from './withTriggerDropped.ts'

type Fields = Readonly<Record<string, unknown>>

/** The code in the newest mail that asks to confirm a new second factor. */
export async function mailedFactorCode(email: string): Promise<string> {
  const { text } = await mailTo(email, /^Confirm your new second factor$/)
  const codes = text.match(/\b\d{6}\b/g) ?? []
  if (codes.length !== 1) throw new Error(`The mail holds ${codes.length} numbers that look like a code`)
  return codes[0] ?? ''
}

/** Sends a call that adds a second factor, and repeats it with the mailed code if requested. */
export async function withMailedCode<Body>(
  { email }: Pick<Person, 'email'>,
  send: (proof?: string) => Promise<Reply<Body & { code?: string }>>,
): Promise<Reply<Body & { code?: string }>> {
  const first = await send()
  return first.body.code === 'step_up_required' ? send(await mailedFactorCode(email)) : first
}

/** Turns an authenticator app on, with further fields. By default `code` is the app's code of the previous step. */
export async function turnOnApp(
  person: Pick<Person, 'email' | 'token'>,
  fields: Fields = {},
): Promise<{ secret: string; recoveryCodes: string[] }> {
  const { token } = person
  const { secret } = (await call<{ secret: string }>('POST', '/auth/two-factor/setup', { token })).body
  const enable = () =>
    withMailedCode(person, (proof) =>
      call<{ recoveryCodes: string[]; code?: string }>('POST', '/auth/two-factor/enable', {
        token,
        json: { code: totpCode(secret, -1), ...fields, ...(proof !== undefined && { proof }) },
      }),
    )
  const first = await enable()
  // A step of 30 seconds may have ended between the code and its check.
  const reply = first.body.code === 'invalid_code' && fields.code === undefined ? await enable() : first
  if (reply.status !== 200) throw new Error(`Not turned on: ${JSON.stringify(reply.body)}`)
  return { secret, recoveryCodes: reply.body.recoveryCodes }
}

/** Makes a security change older than 72 hours. */
export async function letChangePass({ id }: Pick<Person, 'id'>): Promise<void> {
  await setSecurityChange({ id }, Date.now() - 72 * 3_600_000 - 1000)
}

/** Sets the time of an account's last security change, which the database otherwise never moves back. */
export async function setSecurityChange({ id }: Pick<Person, 'id'>, atMs: number | null): Promise<void> {
  await withTriggerDropped(env.DB, 'users_security_change_increases', () =>
    env.DB.prepare('UPDATE users SET security_changed_at = ? WHERE id = ?').bind(atMs, id).run(),
  )
}

/** Ends the delay of an account's known destinations, as if it had passed. */
export async function endDestinationDelay({ id }: Pick<Person, 'id'>, confirmedMs = 0): Promise<void> {
  await withTriggerDropped(env.DB, 'known_destinations_lifted', () =>
    env.DB.prepare(
      'UPDATE known_destinations SET confirmed_at = confirmed_at - ?, held_until = NULL WHERE investor = ?',
    )
      .bind(confirmedMs, id)
      .run(),
  )
}
