import { env } from 'cloudflare:workers'
import { generateText, UNAMBIGUOUS } from '../../worker/lib/crypto/tokens.ts'
import { type CallOptions, call, type Reply } from './http.ts'
import { linkIn, mailTo, type SentMail } from './mailbox.ts'

export function newAddress(): string {
  return `reader-${generateText(10, UNAMBIGUOUS)}@example.com`
}

/** Subscribes an address to the newsletter, which anybody can do. Each time from another network. */
export function ask(
  email: unknown,
  options: CallOptions = {},
): Promise<Reply<{ msg: string; code: string }>> {
  return call('POST', '/newsletter', { json: { email }, ip: newNetwork(), ...options })
}

let networks = 0
function newNetwork(): string {
  networks++
  return `198.18.${networks >> 8}.${networks & 255}`
}

/** The token of the newest confirmation mail to an address, once every mail to it was delivered. */
export async function mailedToken(email: string): Promise<string> {
  await delivered(email)
  return tokenIn(await mailTo(email, /^Confirm your subscription/), '/newsletter/confirm')
}

/** A confirmed subscriber, with the welcome mail and the tokens of both mails. */
export async function newSubscriber(email = newAddress()): Promise<Subscriber> {
  await ask(email)
  const confirmToken = await mailedToken(email)
  await call('POST', '/newsletter/confirm', { json: { token: confirmToken } })
  await delivered(email)
  const welcome = await mailTo(email, /^Your newsletter/)
  return { email, confirmToken, welcome, token: tokenIn(welcome, '/newsletter/unsubscribe') }
}

// A mail can be read before it is delivered. A waiting one would be deleted with its address.
async function delivered(email: string): Promise<void> {
  for (let tries = 0; tries < 80; tries++) {
    const mails = await env.DB.prepare(
      'SELECT count(*) AS total, count(next_attempt_at) AS waiting FROM outbox WHERE recipient = ?',
    )
      .bind(email)
      .first<{ total: number; waiting: number }>()
    if (mails && mails.total > 0 && mails.waiting === 0) return
    await new Promise((resolve) => setTimeout(resolve, 25))
  }
  throw new Error(`No mail to ${email} was delivered`)
}

export interface Subscriber {
  readonly email: string
  readonly confirmToken: string
  readonly welcome: SentMail
  /** Unsubscribes. */
  readonly token: string
}

function tokenIn(mail: SentMail, path: string): string {
  const token = linkIn(mail, path).searchParams.get('token')
  if (token === null) throw new Error(`The link to ${path} has no token`)
  return token
}
