import type { Chance } from '../lane/chance.ts'
import { ORIGIN } from '../lane/world.ts'
import type { Client } from './client.ts'
import type { Investor } from './investor.ts'
import type { Operating } from './operator.ts'

/**
 * Gets an investor who lost something back into the account: a forgotten password is reset by mail, a lost authenticator app is
 * replaced by a recovery code or removed by the operators. Returns whether the investor is signed in now.
 */
export async function regainAccess(
  at: Operating,
  investor: Investor,
  refusal: string,
  chance: Chance,
): Promise<boolean> {
  const { client } = investor
  const left = refusal === 'invalid_credentials' ? await resetPassword(at, investor, chance) : refusal
  if (left === 'two_factor_required') return recoverFactor(at, client)
  return left === null
}

/** Changes or loses one of the things that protect the account. */
export async function changeAccount(at: Operating, investor: Investor, chance: Chance): Promise<void> {
  const event = chance.pick([changeFactor, changeFactor, forgetPassword, changePassword])
  await event(at, investor, chance)
}

type Event = (at: Operating, investor: Investor, chance: Chance) => Promise<void>

/** Turns the authenticator app on, or loses the phone, at times together with the recovery codes. */
const changeFactor: Event = async (at, { client }, chance) => {
  if (client.secret === null) return turnOnApp(at, client)
  client.secret = null
  if (chance.is(0.5)) client.recoveryCodes = []
}

/** From the next visit on, the investor tries another password. */
const forgetPassword: Event = async (_at, { client }) => {
  client.password = 'correct-horse-misremembered'
}

const changePassword: Event = async (_at, { client }, chance) => {
  const [currentPassword, newPassword] = [client.password, newPasswordOf(chance)]
  const { status, body } = await client.send('PATCH', '/users/user-info', {
    json: { currentPassword, newPassword },
  })
  // The password is not the current one any more if the answer to the first try was lost.
  if (status === 200 || body.code === 'wrong_password') client.password = newPassword
}

/** Resets the password with the mailed link, which stops payouts, and signs in. Returns the refusal's code, or null. */
async function resetPassword({ world, model }: Operating, { client }: Investor, chance: Chance) {
  const link = await mailed(world, client, /^Choose a new password$/, () =>
    client.post('/auth/forgot-password', { email: client.email }),
  )
  const address = link === null ? null : linkIn(link)
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
async function recoverFactor({ world }: Operating, client: Client): Promise<boolean> {
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
  client.recoveryCodes = second === undefined ? [] : others
  if ((await client.signIn(first)) !== null) return false
  await client.post('/auth/two-factor/disable', { password: client.password, code: second ?? '' })
  return true
}

async function turnOnApp({ world }: Operating, client: Client): Promise<void> {
  const setup = await client.post('/auth/two-factor/setup')
  if (setup.status !== 200) return
  client.secret = setup.body.secret
  const enable = (proof?: string) =>
    client.post('/auth/two-factor/enable', { code: client.code(), password: client.password, proof })
  let reply = await enable()
  if (reply.body.code === 'step_up_required') {
    const proof = codeIn(client.mail(/^Confirm your new second factor$/, world.now() - MINUTE_MS))
    if (proof !== null) reply = await enable(proof)
  }
  client.recoveryCodes = reply.status === 200 ? reply.body.recoveryCodes : []
  // It is on, and its recovery codes are unknown, if the answer to the first try was lost.
  if (reply.status !== 200 && reply.body.code !== 'two_factor_enabled') client.secret = null
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
  return client.mail(subject, sinceMs)
}

function codeIn(mail: string | null): string | null {
  return /\b\d{6}\b/.exec(mail ?? '')?.[0] ?? null
}

/** The first link to the site in a mail. */
function linkIn(mail: string): URL | null {
  const found = new RegExp(`${ORIGIN}/\\S+`).exec(mail)?.[0]
  return found === undefined ? null : new URL(found)
}

/** It begins as all passwords here do, which the rule about logs looks for. */
function newPasswordOf(chance: Chance): string {
  return `correct-horse-${chance.whole(100_000, 999_999)}`
}
