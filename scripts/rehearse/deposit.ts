import { randomBytes } from 'node:crypto'
import { setTimeout as wait } from 'node:timers/promises'
import { sha256 } from '@noble/hashes/sha2.js'
import { createBase58check } from '@scure/base'
import { Secret, TOTP } from 'otpauth'
import { TERMS_VERSION } from '../../src/contract/identity/registration.ts'
import { copyPng } from '../../src/pictures/samples.ts'
import { openVault } from '../../worker/lib/crypto/vault.ts'
import { toSqlLiteral } from '../backup/rows.ts'

/** The API of a deployed site, and what lets a rehearsal read the mails in its outbox. */
export interface RehearsedSite {
  readonly origin: string
  /** Sends a request, as from the internet. */
  readonly send: (url: string, init?: RequestInit) => Promise<Response>
  /** Runs a query on its database. */
  readonly query: (sql: string) => Promise<readonly Readonly<Record<string, unknown>>[]>
  /** VAULT_KEYS, with which waiting mails are encrypted. */
  readonly vaultKeys: string
}

/** An account of the rehearsal. */
export interface Member {
  readonly email: string
  readonly password: string
  readonly token: string
  /** The secret of the authenticator app, and the newest step whose code was used. */
  readonly app: { readonly secret: string; step: number } | null
}

const WALLET = { coin: 'usdt', network: 'usdt-trc20' }
/** More than one operator may credit alone. */
const AMOUNT_USD = 6_000

/**
 * Does by the API what people do until the first deposit is credited: two administrators accept their invitations and turn on a
 * second factor, an investor registers and is identified, the two add a receiving wallet, the investor announces a deposit, and the
 * two credit it. The mailed links and codes are read from the outbox, because a rehearsal sends no mail.
 *
 * @param invitations addresses and links of the two
 * @returns everybody who was made. Throws if a call fails, or if the investor's balance is wrong
 */
export async function creditFirstDeposit(
  site: RehearsedSite,
  invitations: readonly { readonly email: string; readonly link: string }[],
): Promise<Member[]> {
  const operators: Member[] = []
  for (const { email, link } of invitations) operators.push(await registerOperator(site, email, link))
  const [first, second] = operators
  if (first === undefined || second === undefined) throw new Error('A deposit takes two operators.')
  const investor = await registerInvestor(site, first)
  const { coin, network } = WALLET
  // A random TRON address without a known key: the deposit is simulated money.
  const address = createBase58check(sha256).encode(Uint8Array.of(0x41, ...randomBytes(20)))
  const proposal = await callWithStepUp(site, first, '/operator/proposals', {
    kind: 'wallet',
    walletName: coin,
    network,
    address,
  })
  await callWithStepUp(site, second, `/operator/proposals/${proposal._id}/approve`)
  const deposit = await upload(site, investor, '/deposits', {
    type: coin,
    amount: AMOUNT_USD.toFixed(2),
    paymentTo: address,
    network,
  })
  const payment = { reference: randomBytes(32).toString('hex') }
  await callWithStepUp(site, first, `/operator/deposits/${deposit._id}/approve`, payment)
  await callWithStepUp(site, second, `/operator/deposits/${deposit._id}/approve`, payment)
  const { available } = await call(site, 'GET', '/users/user-info', { token: investor.token })
  if (available !== AMOUNT_USD)
    throw new Error(`The investor has ${available} USD, and deposited ${AMOUNT_USD}.`)
  return [...operators, investor]
}

/** Accepts an invitation, signs in and turns an authenticator app on. */
async function registerOperator(site: RehearsedSite, email: string, link: string): Promise<Member> {
  const password = newPassword()
  const invitation = new URL(link).searchParams.get('token')
  const pair = { password, confirmPassword: password }
  await call(site, 'POST', '/auth/accept-invitation', { json: { ...pair, token: invitation } })
  const token = await signIn(site, email, password)
  const { secret } = await call(site, 'POST', '/auth/two-factor/setup', { token })
  const member = { email, password, token, app: { secret: String(secret), step: 0 } }
  const code = await newCode(member)
  // The first call only mails a code.
  await call(site, 'POST', '/auth/two-factor/enable', { token, json: { code }, refusal: 'step_up_required' })
  const proof = /\b\d{6}\b/.exec(await readMail(site, email, 'Confirm your new second factor'))?.[0]
  await call(site, 'POST', '/auth/two-factor/enable', { token, json: { code, proof } })
  await call(site, 'POST', '/auth/confirm', { token, json: { code: await newCode(member) } })
  return member
}

/** Signs in, and returns the session's token. */
async function signIn(site: RehearsedSite, email: string, password: string): Promise<string> {
  return String((await call(site, 'POST', '/auth/login', { json: { email, password } })).token)
}

/** Registers, opens the mailed link, and has a document approved. */
async function registerInvestor(site: RehearsedSite, reviewer: Member): Promise<Member> {
  const [password, email] = [newPassword(), `investor-${randomBytes(6).toString('hex')}@example.com`]
  await call(site, 'POST', '/auth/register', {
    json: {
      fullname: 'Ana Torres',
      email,
      phone: '+41 79 123 45 67',
      password,
      confirmPassword: password,
      country: 'CH',
      acceptedTerms: TERMS_VERSION,
    },
  })
  const link = /https:\S+verificationToken=\S+/.exec(await readMail(site, email, ''))?.[0] ?? ''
  const { searchParams } = new URL(link)
  const verificationToken = searchParams.get('verificationToken')
  await call(site, 'POST', '/auth/verify-email', { json: { email, verificationToken } })
  const investor = { email, password, token: await signIn(site, email, password), app: null }
  await upload(site, investor, '/kyc', { document: 'Passport' })
  const [submission] = await site.query(
    `SELECT k.id FROM kyc_submissions k JOIN users u ON u.id = k.user_id WHERE u.email = ${toSqlLiteral(email)}`,
  )
  await call(site, 'GET', `/operator/kyc/${submission?.id}/document`, { token: reviewer.token })
  await callWithStepUp(site, reviewer, `/operator/kyc/${submission?.id}/approve`, {
    documentName: 'Rehearsal',
    documentNumber: String(submission?.id),
    bornOn: '1990-05-01',
    expiresOn: '2099-05-01',
  })
  return investor
}

/** An act of a member. If its amount takes a second factor of its own, repeats it with a code. */
async function callWithStepUp(
  site: RehearsedSite,
  member: Member,
  path: string,
  fields: object = {},
): Promise<Answer> {
  const { token } = member
  const answer = await call(site, 'POST', path, { token, json: fields, refusal: 'step_up_required' })
  if (answer.code !== 'step_up_required') return answer
  return call(site, 'POST', path, { token, json: { ...fields, code: await newCode(member) } })
}

/** Sends a form with a picture. */
function upload(
  site: RehearsedSite,
  { token }: Member,
  path: string,
  fields: Readonly<Record<string, string>>,
): Promise<Answer> {
  const form = new FormData()
  for (const [name, value] of Object.entries(fields)) form.set(name, value)
  form.set('image', new Blob([copyPng()], { type: 'image/png' }), 'picture.png')
  return call(site, 'POST', path, { token, form })
}

/** The fields of the answers to these calls. */
interface Answer {
  readonly _id?: string
  readonly token?: string
  readonly secret?: string
  readonly available?: number
  /** Of a refusal. */
  readonly code?: string
}

interface CallOptions {
  readonly token?: string
  readonly json?: object
  readonly form?: FormData
  /** The code of a refusal that is returned instead of thrown. */
  readonly refusal?: string
}

async function call(
  { origin, send }: RehearsedSite,
  method: string,
  path: string,
  { token, json, form, refusal }: CallOptions = {},
): Promise<Answer> {
  // A form is encoded here, because the runtime of a test has a class FormData of its own.
  const encoded = form === undefined ? undefined : new Response(form)
  const type = json === undefined ? encoded?.headers.get('Content-Type') : 'application/json'
  const body = json === undefined ? await encoded?.arrayBuffer() : JSON.stringify(json)
  const response = await send(`${origin}/api/v1${path}`, {
    method,
    headers: { ...(token && { Authorization: `Bearer ${token}` }), ...(type && { 'Content-Type': type }) },
    ...(body !== undefined && { body }),
  })
  const text = await response.text()
  const isJson = response.headers.get('Content-Type')?.startsWith('application/json')
  const answer = isJson ? JSON.parse(text) : {}
  if (response.ok || answer.code === refusal) return answer
  throw new Error(`${method} ${path} was answered with ${response.status}: ${text}`)
}

/** The text of the newest mail to an address that has this subject. Waits for it, because mails are queued after the answer. */
async function readMail(
  { query, vaultKeys }: RehearsedSite,
  email: string,
  subject: string,
): Promise<string> {
  for (let attempt = 0; attempt < 50; attempt++) {
    const [mail] = await query(
      `SELECT id, sealed FROM outbox WHERE recipient = ${toSqlLiteral(email)} AND instr(subject, ${toSqlLiteral(subject)}) > 0 ORDER BY seq DESC LIMIT 1`,
    )
    if (mail) {
      const content = await openVault(vaultKeys).openSmall(String(mail.sealed), `outbox:${mail.id}`)
      return JSON.parse(new TextDecoder().decode(content)).text
    }
    await wait(100)
  }
  throw new Error(`No mail to ${email} waits in the outbox.`)
}

const STEP_MS = 30_000

/** A code of a member's app that was not used yet. The site takes those of the steps before and after the present one too. */
async function newCode({ app }: Member): Promise<string> {
  if (app === null) throw new Error('This member has no authenticator app.')
  const present = Math.floor(Date.now() / STEP_MS)
  app.step = Math.max(app.step + 1, present - 1)
  if (app.step > present + 1) await wait((app.step - present - 1) * STEP_MS)
  const totp = new TOTP({ secret: Secret.fromBase32(app.secret), algorithm: 'SHA1', digits: 6, period: 30 })
  return totp.generate({ timestamp: app.step * STEP_MS })
}

function newPassword(): string {
  return randomBytes(18).toString('base64url')
}
