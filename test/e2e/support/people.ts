import { randomUUID } from 'node:crypto'
import { DAY_MS } from '../../../src/time.ts'
import { readIdentityData } from '../../support/identityData.ts'
import { newPicture } from '../../support/picture.ts'
import { authenticatorCode } from './authenticator.ts'
import { callApi, origin, send } from './http.ts'
import { codeIn, linkIn, waitForMail } from './mailbox.ts'

/** The password of all test accounts, including the seeded ones. */
export const PASSWORD = 'correct-horse-battery-staple'

/** The subject of the mail with the code for a new second factor. */
export const CONFIRM_FACTOR = /^Confirm your new second factor$/

/** The answer of a sign-in, which the browser stores under `user-info`. */
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
  /** Default: an unused one. */
  email?: string
  /** Default approved. */
  kyc?: 'none' | 'pending' | 'approved' | 'rejected'
  /** USD credited through a deposit, at most 5,000: larger deposits need two operators. Default 0. */
  available?: number
  /** The referral ID they register with. */
  referralID?: string
}

/** Registers an investor through the API, verifies the e-mail address, signs in, and sets the requested state. */
export async function newInvestor(options: InvestorOptions = {}): Promise<Investor> {
  const { name = 'Ana Torres', kyc = 'approved', available = 0, referralID, email = newAddress() } = options
  const registration = { fullname: name.toLowerCase(), displayName: name, email, password: PASSWORD }
  await callApi('POST', '/auth/register', {
    // All tests together register more people than one address may in an hour.
    from: `2001:db8:${randomUUID().slice(9, 18).replace('-', ':')}::1`,
    json: { ...registration, phone: '+41 79 123 45 67', country: 'Switzerland', referralID },
  })
  const link = linkIn(await waitForMail(email, /verify/i), '/verify-email')
  await callApi('POST', '/auth/verify-email', { json: Object.fromEntries(link.searchParams) })
  const session = await createSession({ email, password: PASSWORD })
  if (kyc !== 'none') await submitKyc(session.token, kyc)
  if (available > 0) await creditDeposit(session.token, available)
  return { name, email, session }
}

/** Returns an unused e-mail address. */
export function newAddress(): string {
  return `e2e-${randomUUID().slice(0, 13)}@example.com`
}

/** Turns on a second factor and returns its secret. It uses the code of the previous 30-second step, so the current code still works. */
export function turnOnSecondFactor({ token, email }: Pick<Session, 'token' | 'email'>): Promise<string> {
  return enableSecondFactor(email, { token }, 1)
}

/**
 * Turns on a second factor four days ago, and signs in again, because that ends other sessions. One that old spares a withdrawal to
 * a new destination its delay. The current code still works.
 */
export async function turnOnSecondFactorLongAgo(
  email: string,
): Promise<{ secret: string; session: Session }> {
  const at = new Date(Date.now() - 4 * DAY_MS).toISOString()
  const { token } = await createSession({ email, password: PASSWORD }, at)
  const secret = await enableSecondFactor(email, { token, at }, (4 * DAY_MS) / 30_000)
  const credentials = { email, password: PASSWORD, code: authenticatorCode(1, secret) }
  return { secret, session: await createSession(credentials) }
}

async function enableSecondFactor(
  email: string,
  as: { token: string; at?: string },
  stepsAgo: number,
): Promise<string> {
  const { secret } = await callApi<{ secret: string }>('POST', '/auth/two-factor/setup', as)
  const json = { code: authenticatorCode(stepsAgo, secret), password: PASSWORD }
  await send('POST', '/auth/two-factor/enable', { ...as, json })
  const proof = codeIn(await waitForMail(email, CONFIRM_FACTOR))
  await callApi('POST', '/auth/two-factor/enable', { ...as, json: { ...json, proof } })
  return secret
}

/** Signs in through the API, at another time if one is given (ISO 8601). */
export function createSession(
  credentials: { email: string; password: string; code?: string },
  at?: string,
): Promise<Session> {
  return callApi('POST', '/auth/login', { json: credentials, ...(at !== undefined && { at }) })
}

/** The session of a seeded operator. The global set-up signs them in once, because each code works only once. */
export function operatorSession(which: 'first' | 'second' | 'auditor' | 'support'): Session {
  const sessions: Record<string, Session> = JSON.parse(process.env.OPERATOR_SESSIONS ?? '{}')
  const session = sessions[which]
  if (session === undefined) throw new Error('The global set-up did not sign the operators in')
  return session
}

/** Changes settings that need two administrators. */
export async function changeSettings(
  json: Readonly<Record<string, unknown>>,
  { first = operatorSession('first'), second = operatorSession('second'), server = origin } = {},
): Promise<void> {
  const { _id } = await callApi<{ _id: string }>('PATCH', '/operator/settings', {
    token: first.token,
    // Some settings take a reason.
    json: { reason: 'A test', ...json },
    server,
  })
  await callApi('POST', `/operator/proposals/${_id}/approve`, { token: second.token, server })
}

/** Looks up an investor's id in the operator's console. */
export async function investorId(email: string): Promise<string> {
  const [investor] = await callApi<{ _id: string }[]>('GET', `/operator/investors?query=${email}`, {
    token: operatorSession('first').token,
  })
  if (investor === undefined) throw new Error(`No investor has the address ${email}`)
  return investor._id
}

/** Files a deposit request and returns its id. */
export async function fileDeposit(token: string, amount: number): Promise<string> {
  const offered = await callApi<{ address: string; type: string }[]>('GET', '/admin-wallets', { token })
  // A seeded one. Of other coins, another test may be about to retire the wallet.
  const wallet = offered.find(({ type }) => type === 'bitcoin')
  if (wallet === undefined) throw new Error('No wallet was seeded')
  const form = { type: wallet.type, amount: String(amount), paymentTo: wallet.address, image: newPicture() }
  return (await callApi<{ _id: string }>('POST', '/deposits', { token, form }))._id
}

/** Returns an unused transaction id. */
export function newReference(): string {
  return `${randomUUID()}${randomUUID()}`.replaceAll('-', '')
}

async function creditDeposit(token: string, amount: number): Promise<void> {
  const id = await fileDeposit(token, amount)
  const { creditPrice } = await callApi<{ creditPrice: number | null }>('GET', `/operator/deposits/${id}`, {
    token: operatorSession('first').token,
  })
  if (creditPrice === null) throw new Error('There is no price of bitcoin')
  const json = {
    riskReason: 'Called back, all is in order',
    reference: newReference(),
    quantity: (amount / creditPrice).toFixed(8),
  }
  const approve = (which: 'first' | 'second') =>
    callApi<{ awaiting?: string }>('POST', `/operator/deposits/${id}/approve`, {
      token: operatorSession(which).token,
      json,
    })
  // Above the daily ceiling of one operator, a second one must approve.
  if ((await approve('first')).awaiting !== undefined) await approve('second')
}

async function submitKyc(token: string, outcome: 'pending' | 'approved' | 'rejected'): Promise<void> {
  await callApi('POST', '/kyc', { token, form: { document: 'Passport', image: newPicture() } })
  if (outcome === 'pending') return
  const [record] = await callApi<{ _id: string }[]>('GET', '/kyc', { token })
  const { token: reviewer } = operatorSession('first')
  await send('GET', `/operator/kyc/${record?._id}/document`, { token: reviewer })
  await callApi('POST', `/operator/kyc/${record?._id}/${outcome === 'approved' ? 'approve' : 'reject'}`, {
    token: reviewer,
    json: outcome === 'rejected' ? { reason: 'The picture is blurred.' } : readIdentityData(record?._id),
  })
}
