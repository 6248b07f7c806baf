import { randomUUID } from 'node:crypto'
import { ask } from './http.ts'
import { linkIn, mailTo } from './mailbox.ts'
import { pictureBlob } from './picture.ts'
import { authenticatorCode } from './totp.ts'

/** The password of everybody here, the seeded accounts included. */
export const PASSWORD = 'correct-horse-battery-staple'

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

/** Turns somebody's second factor on; gives its secret. The code of the step before is used up by it, the present one is not. */
export async function turnOnSecondFactor(token: string): Promise<string> {
  const { secret } = await ask<{ secret: string }>('POST', '/auth/two-factor/setup', { token })
  await ask('POST', '/auth/two-factor/enable', { token, json: { code: authenticatorCode(1, secret) } })
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
  return `e2e${randomUUID().replaceAll('-', '')}`
}

async function payIn(token: string, amount: number): Promise<void> {
  const id = await fileDeposit(token, amount)
  await ask('POST', `/operator/deposits/${id}/approve`, {
    token: operatorSession('first').token,
    json: { reference: newReference() },
  })
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
