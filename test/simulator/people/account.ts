import type { Chance } from '../lane/chance.ts'
import { ORIGIN } from '../lane/world.ts'
import { sessionOf } from '../model.ts'
import { Broken } from '../watch.ts'
import type { Client } from './client.ts'
import type { Investor } from './investor.ts'
import type { Operating } from './operator.ts'

/**
 * Gets an investor who lost something back into the account: a forgotten password is reset by mail or replaced once by a mailed link, a lost authenticator app is
 * replaced by a recovery code or removed by the operators. Returns whether the investor is signed in now.
 */
export async function regainAccess(
  at: Operating,
  investor: Investor,
  refusal: string,
  chance: Chance,
): Promise<boolean> {
  const { client } = investor
  const left = refusal === 'invalid_credentials' ? await enterByMail(at, investor, chance) : refusal
  if (left === 'account_closed') investor.stage = 'closed'
  if (left === 'two_factor_required') return recoverFactor(at, client)
  return left === null
}

/** Changes or loses one of the things that protect the account, or decides to close it. */
export async function changeAccount(at: Operating, investor: Investor, chance: Chance): Promise<void> {
  const event = chance.pick([
    changeFactor,
    changeFactor,
    changeFactor,
    forgetPassword,
    changePassword,
    changeAddress,
    lockAccount,
    endSession,
    decideToClose,
  ])
  await event(at, investor, chance)
}

/** Tries to close the account, which is refused until all money is out of it. */
export async function closeAccount({ model }: Operating, investor: Investor): Promise<void> {
  const { client } = investor
  const { email, password } = client
  const { body: shown } = await client.get('/users/closing')
  const purse = model.purse(email)
  const waiting = model.waitingOf('deposits', email).open + model.waitingOf('withdrawals', email).open
  // A debt counts too.
  const hasMoney = purse.available !== 0 || purse.held + waiting + purse.allocating.size > 0
  const proof = client.secret === null ? undefined : client.code()
  const { status } = await client.post('/users/close', { password, code: proof })
  if (status === 200 && (hasMoney || shown.obstacles.length > 0))
    throw new Broken('closedAccountsAreEmpty', `${email} was closed: ${JSON.stringify([shown, purse])}`)
  if (hasMoney && shown.obstacles?.length === 0)
    throw new Broken('closedAccountsAreEmpty', `${email} may be closed: ${JSON.stringify(purse)}`)
  const refusal = await client.signIn()
  if (refusal === 'account_closed') {
    investor.stage = 'closed'
    investor.formerCode = model.codes.get(email) ?? null
    model.codes.delete(email)
  } else if (status === 200) throw new Broken('closedAccountsStayClosed', `${email} may sign in: ${refusal}`)
  client.signOut()
}

/** Somebody who closed an account opens another one, with another address. */
export function comeBack({ model }: Operating, investor: Investor): void {
  const { client } = investor
  client.email = nextAddress(client.email)
  client.secret = null
  client.recoveryCodes = []
  model.locked.delete(client.email)
  investor.stage = 'new'
  investor.isClosing = false
}

type Event = (at: Operating, investor: Investor, chance: Chance) => Promise<void>

/** Turns the authenticator app on, or loses the phone, at times together with the recovery codes. */
const changeFactor: Event = async (at, { client }, chance) => {
  if (client.secret === null) return turnOnApp(at, client)
  client.secret = null
  if (chance.is(0.5)) client.recoveryCodes = []
}

/** From now on this investor takes all money out, and then closes the account. */
const decideToClose: Event = async (_at, investor) => {
  investor.isClosing = true
}

/** Moves the account to another mailbox, which takes the links in both. Approved withdrawals need a new approval. */
const changeAddress: Event = async ({ world, model }, { client }) => {
  const { email, password } = client
  const address = nextAddress(email)
  const sinceMs = world.now()
  await client.post('/users/email', { email: address, password })
  let confirmed = 0
  for (const mailbox of [email, address]) {
    const mail = client.mail(/^Confirm the change of your e-mail address$/, { sinceMs, mailbox })
    const token = linkIn(mail, '/confirm-email')?.searchParams.get('token')
    if (token === null || token === undefined) return
    const { status } = await client.post('/auth/confirm-email-change', { token })
    if (status === 200) confirmed += 1
  }
  if (confirmed < 2) return
  client.email = address
  model.moved(email, address)
  model.stopped(address, { cancels: false })
}

/** Opens "Lock my account" in a mail, and writes to the operators at once, who lift the lock together. */
export const lockAccount: Event = async ({ model }, { client }) => {
  const token = linkIn(client.mail(/./, { link: '/lock-account' }), '/lock-account')?.searchParams.get(
    'token',
  )
  if (token === null || token === undefined) return
  const { status } = await client.post('/auth/lock-account', { token })
  if (status !== 200) return
  // A repeated lock stops nothing more.
  if (!model.locked.has(client.email)) model.stopped(client.email, { cancels: true })
  model.locked.add(client.email)
  client.signOut()
}

/** Signs in again, and ends the session from before in the profile, which stops what it filed. */
const endSession: Event = async ({ model }, { client }) => {
  const { token } = client
  if (token === null || (await client.signIn()) !== null) return
  const { status } = await client.send('DELETE', `/users/sessions/${sessionOf(token)}`)
  // Not found: the answer to the first try was lost.
  if (status === 204 || status === 404) model.stopped(client.email, { cancels: true, ended: token })
}

/** From the next visit on, the investor tries another password. */
const forgetPassword: Event = async (_at, { client }) => {
  client.password = 'correct-horse-misremembered'
}

const changePassword: Event = async ({ model }, { client }, chance) => {
  const [currentPassword, newPassword] = [client.password, newPasswordOf(chance)]
  const { status, body } = await client.send('PATCH', '/users/user-info', {
    json: { currentPassword, newPassword },
  })
  // The password is not the current one any more if the answer to the first try was lost.
  if (status !== 200 && body.code !== 'wrong_password') return
  client.password = newPassword
  model.stopped(client.email, { cancels: true, kept: client.token })
}

async function enterByMail(at: Operating, investor: Investor, chance: Chance): Promise<string | null> {
  return chance.is(0.3) ? signInWithLink(at, investor.client) : resetPassword(at, investor, chance)
}

/** Signs in with the mailed link. The password stays forgotten. Returns the refusal's code, or null. */
async function signInWithLink({ world }: Operating, client: Client): Promise<string | null> {
  const mail = await mailed(world, client, /^Your sign-in link$/, () =>
    client.post('/auth/sign-in-link', { email: client.email }),
  )
  const address = linkIn(mail, '/sign-in-link')
  if (address === null) return 'no_mail'
  const code = client.secret === null ? undefined : client.code()
  const credentials = { ...Object.fromEntries(address.searchParams), code }
  const { status, body } = await client.post('/auth/sign-in-link/use', credentials)
  if (status !== 200) return body.code ?? 'no_answer'
  client.token = body.token
  return null
}

/** Resets the password with the mailed link, which stops payouts, and signs in. Returns the refusal's code, or null. */
export async function resetPassword(
  { world, model }: Operating,
  { client }: Investor,
  chance: Chance,
): Promise<string | null> {
  const mail = await mailed(world, client, /^Choose a new password$/, () =>
    client.post('/auth/forgot-password', { email: client.email }),
  )
  const address = linkIn(mail, '/change-password')
  if (address === null) return 'no_mail'
  const [forgotten, password] = [client.password, newPasswordOf(chance)]
  await client.post('/auth/reset-password', {
    ...Object.fromEntries(address.searchParams),
    password,
    confirmPassword: password,
  })
  // The answer may say that the link was used, after one that was lost. Signing in shows which password is right.
  client.password = password
  const refusal = await client.signIn()
  if (refusal === 'invalid_credentials') client.password = forgotten
  else model.stopped(client.email, { cancels: true })
  return refusal
}

/** Signs in with a recovery code and turns the lost app off. Without a code, asks the operators to remove it. */
export async function recoverFactor({ world, model }: Operating, client: Client): Promise<boolean> {
  const [first, second, ...others] = client.recoveryCodes
  if (first === undefined) {
    const { email, password } = client
    const mail = await mailed(world, client, /^Your code to recover your account$/, () =>
      client.post('/auth/factor-recovery', { email, password }),
    )
    const code = codeIn(mail)
    if (code !== null) await client.post('/auth/factor-recovery/confirm', { email, password, code })
    return false
  }
  client.recoveryCodes = others
  if ((await client.signIn(first)) !== null) return false
  const json = { password: client.password, code: second ?? '' }
  const { status, body } = await client.post('/auth/two-factor/disable', json)
  if (status !== 204 && body.code !== 'two_factor_not_set_up') return true
  client.recoveryCodes = []
  model.stopped(client.email, { cancels: true, kept: client.token })
  return true
}

/** Turns the authenticator app on, with the code in the mailbox. */
export async function turnOnApp({ world, model }: Operating, client: Client): Promise<void> {
  const setup = await client.post('/auth/two-factor/setup')
  if (setup.status !== 200) return
  client.secret = setup.body.secret
  const enable = (proof?: string) =>
    client.post('/auth/two-factor/enable', { code: client.code(), password: client.password, proof })
  let reply = await enable()
  if (reply.body.code === 'step_up_required') {
    const proof = codeIn(
      client.mail(/^Confirm your new second factor$/, { sinceMs: world.now() - MINUTE_MS }),
    )
    if (proof !== null) reply = await enable(proof)
  }
  client.recoveryCodes = reply.status === 200 ? reply.body.recoveryCodes : []
  // It is on, and its recovery codes are unknown, if the answer to the first try was lost.
  if (reply.status !== 200 && reply.body.code !== 'two_factor_enabled') client.secret = null
  else model.stopped(client.email, { cancels: true, kept: client.token })
}

const MINUTE_MS = 60_000

/** The mail with this subject that arrives after a request; null if none does yet. */
async function mailed(
  world: Operating['world'],
  client: Client,
  subject: RegExp,
  ask: () => Promise<unknown>,
) {
  const sinceMs = world.now()
  await ask()
  return client.mail(subject, { sinceMs })
}

/** The code in a mail. */
export function codeIn(mail: string | null): string | null {
  return /\b\d{6}\b/.exec(mail ?? '')?.[0] ?? null
}

/** The link to a page of the site in a mail. */
export function linkIn(mail: string | null, page: string): URL | null {
  const found = new RegExp(`${ORIGIN}${page}\\S+`).exec(mail ?? '')?.[0]
  return found === undefined ? null : new URL(found)
}

/** `investor3@people.test`, `investor3-1@people.test`, `investor3-2@people.test`, … */
function nextAddress(email: string): string {
  const [, name = '', times = '0'] = /^([^@-]+)-?(\d*)@/.exec(email) ?? []
  return `${name}-${Number(times) + 1}@people.test`
}

/** It begins as all passwords here do, which the rule about logs looks for. */
function newPasswordOf(chance: Chance): string {
  return `correct-horse-${chance.whole(100_000, 999_999)}`
}
