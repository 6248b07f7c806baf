import { randomUUID } from 'node:crypto'
import { ask, send } from './http.ts'
import { codeIn, linkIn, mailTo } from './mailbox.ts'
import { pictureBlob } from './picture.ts'
import { authenticatorCode } from './totp.ts'

/** The password of everybody here, the seeded accounts included. */
export const PASSWORD = 'correct-horse-battery-staple'

/** The subject of the mail with the code for a new second factor. */
export const CONFIRM_FACTOR = /^Confirm your new second factor$/

const DAY_MS = 86_400_000

/** What signing in answers, and the browser keeps under `user-info`. */
export interface Session {
  token: string
  name: string
  email: string
  role: string
  expiresAt: string
}

export interface Investor {
  name: string
  email: string
  session: Session
}

interface InvestorOptions {
  name?: string
  /** Default approved. */
  kyc?: 'none' | 'pending' | 'approved' | 'rejected'
  /** USD credited through a deposit, at most 5,000: more takes two operators. Default 0. */
  available?: number
  /** Whose referral ID they came with. */
  referralID?: string
}

/** Registers somebody of the test's own through the API, verified and signed in, in the state asked for. */
export async function newInvestor(options: InvestorOptions = {}): Promise<Investor> {
  const { name = 'Ana Torres', kyc = 'approved', available = 0, referralID } = options
  const email = newAddress()
  const registration = { fullname: name.toLowerCase(), displayName: name, email, password: PASSWORD }
  await ask('POST', '/auth/register', {
    json: { ...registration, phone: '+41 79 123 45 67', country: 'Switzerland', referralID },
  })
  const link = linkIn(await mailTo(email, /verify/i), '/verify-email')
  await ask('POST', '/auth/verify-email', { json: Object.fromEntries(link.searchParams) })
  const session = await signedIn({ email, password: PASSWORD })
  if (kyc !== 'none') await identify(session.token, kyc)
  if (available > 0) await payIn(session.token, available)
  return { name, email, session }
}

/** An e-mail address that nobody has yet. */
export function newAddress(): string {
  return `e2e-${randomUUID().slice(0, 13)}@example.com`
}

/** Turns somebody's second factor on, with the mailed code; gives its secret. The code of the step before is used up by it, the present one is not. */
export function turnOnSecondFactor({ token, email }: Pick<Session, 'token' | 'email'>): Promise<string> {
  return turnOnAt(email, { token }, 1)
}

/** The same four days ago, so that the second factor spares a new destination its hold. */
export async function turnOnSecondFactorLongAgo(email: string): Promise<string> {
  const at = new Date(Date.now() - 4 * DAY_MS).toISOString()
  const { token } = await signedIn({ email, password: PASSWORD }, at)
  return turnOnAt(email, { token, at }, (4 * DAY_MS) / 30_000)
}

async function turnOnAt(
  email: string,
  as: { token: string; at?: string },
  stepsAgo: number,
): Promise<string> {
  const { secret } = await ask<{ secret: string }>('POST', '/auth/two-factor/setup', as)
  const json = { code: authenticatorCode(stepsAgo, secret), password: PASSWORD }
  await send('POST', '/auth/two-factor/enable', { ...as, json })
  const proof = codeIn(await mailTo(email, CONFIRM_FACTOR))
  await ask('POST', '/auth/two-factor/enable', { ...as, json: { ...json, proof } })
  return secret
}

/** A session by the API, begun at another time where one is given. */
export function signedIn(
  credentials: { email: string; password: string; code?: string },
  at?: string,
): Promise<Session> {
  return ask('POST', '/auth/login', { json: credentials, ...(at !== undefined && { at }) })
}

/** One of the seeded operators, signed in once for all tests: a code of theirs works only once. */
export function operatorSession(which: 'first' | 'second' | 'auditor'): Session {
  const sessions: Record<string, Session> = JSON.parse(process.env.OPERATOR_SESSIONS ?? '{}')
  const session = sessions[which]
  if (session === undefined) throw new Error('The operators are signed in by the global set-up')
  return session
}

/** Changes guarded settings as two administrators do. */
export async function changeSettings(json: Readonly<Record<string, unknown>>): Promise<void> {
  const { _id } = await ask<{ _id: string }>('PATCH', '/operator/settings', {
    token: operatorSession('first').token,
    json,
  })
  await ask('POST', `/operator/proposals/${_id}/approve`, { token: operatorSession('second').token })
}

/** Announces a deposit; answers its id. */
export async function fileDeposit(token: string, amount: number): Promise<string> {
  const [wallet] = await ask<{ address: string; type: string }[]>('GET', '/admin-wallets', { token })
  if (wallet === undefined) throw new Error('No wallet was seeded')
  const form = { type: wallet.type, amount: String(amount), paymentTo: wallet.address, image: pictureBlob() }
  return (await ask<{ _id: string }>('POST', '/deposits', { token, form }))._id
}

/** A transaction id that no other payment has. */
export function newReference(): string {
  return `${randomUUID()}${randomUUID()}`.replaceAll('-', '')
}

async function payIn(token: string, amount: number): Promise<void> {
  const id = await fileDeposit(token, amount)
  const json = { reference: newReference() }
  const approve = (which: 'first' | 'second') =>
    ask<{ awaiting?: string }>('POST', `/operator/deposits/${id}/approve`, {
      token: operatorSession(which).token,
      json,
    })
  // One operator credits only so much alone in a day.
  if ((await approve('first')).awaiting !== undefined) await approve('second')
}

async function identify(token: string, standing: 'pending' | 'approved' | 'rejected'): Promise<void> {
  await ask('POST', '/kyc', { token, form: { document: 'Passport', image: pictureBlob() } })
  if (standing === 'pending') return
  const [record] = await ask<{ _id: string }[]>('GET', '/kyc', { token })
  await ask('POST', `/operator/kyc/${record?._id}/${standing === 'approved' ? 'approve' : 'reject'}`, {
    token: operatorSession('first').token,
    json: standing === 'rejected' ? { reason: 'The picture is blurred.' } : {},
  })
}
