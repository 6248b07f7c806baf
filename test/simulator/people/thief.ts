import { segwitSigner } from '../../support/signers.ts'
import type { Chance } from '../lane/chance.ts'
import { Broken } from '../watch.ts'
import { codeIn, linkIn, lockAccount, recoverFactor, resetPassword, turnOnApp } from './account.ts'
import { Client } from './client.ts'
import { leave } from './curious.ts'
import type { Investor } from './investor.ts'
import type { Operating } from './operator.ts'

/** Steals a password, a session, or a password together with the mailbox, and tries to take the money out. */
export async function steal(at: Operating, victim: Investor, chance: Chance): Promise<void> {
  if (victim.stage !== 'verified') return
  const robbery = chance.pick([withPassword, withSession, withMailbox, withMailbox])
  await robbery(at, victim, chance)
}

type Robbery = (at: Operating, victim: Investor, chance: Chance) => Promise<void>

/** With the password, from another place. */
const withPassword: Robbery = async (at, { client }, chance) => {
  const thief = strangerWith(at, client)
  if ((await thief.signIn()) === null) await guessCodes(at, thief, chance)
}

/** With the token of a session that was just opened: every change takes something else too. */
const withSession: Robbery = async (at, { client }, chance) => {
  if ((await client.signIn()) !== null) return
  const thief = strangerWith(at, client)
  thief.token = client.token
  await guessCodes(at, thief, chance)
  const setup = await thief.post('/auth/two-factor/setup')
  if (setup.status === 200) {
    thief.secret = setup.body.secret
    for (const proof of [undefined, sixDigits(chance), sixDigits(chance)])
      await fails(thief, 'POST', '/auth/two-factor/enable', { code: thief.code(), proof })
  }
  const password = 'correct-horse-guessed'
  await fails(thief, 'POST', '/users/email', { email: 'thief@people.test', password })
  await fails(thief, 'POST', '/users/close', { password })
  await fails(thief, 'PATCH', '/users/user-info', { currentPassword: password, newPassword: `${password}-2` })
  // Saving an address takes a proof, and the owner is told of the download.
  const { rows: saved } = await thief.get('/users/addresses?limit=50')
  // Often under the name of an address that its owner saved.
  for (const { _id, label } of saved.slice(0, 1)) {
    await fails(thief, 'PATCH', `/users/addresses/${_id}`, { label: 'Old' })
    await thief.send('DELETE', `/users/addresses/${_id}`)
    await fails(thief, 'POST', '/users/addresses', { ...DESTINATION, label })
  }
  const code = sixDigits(chance)
  await fails(thief, 'POST', '/users/addresses', { ...DESTINATION, label: `Savings ${code}`, code })
  await thief.get('/users/data')
  await guessCodes(at, thief, chance)
  await leave(at, client)
}

/**
 * With the password and the mailbox: a withdrawal to the thief's address is filed, at times confirmed with an app that the thief
 * has just turned on. It waits a day, in which its owner notices. An app of the owner takes three days to remove.
 */
const withMailbox: Robbery = async (at, victim, chance) => {
  const { world, model } = at
  const { email } = victim.client
  const thief = strangerWith(at, victim.client)
  const refusal = await thief.signIn()
  victim.isRobbed = refusal === null || refusal === 'two_factor_required'
  if (refusal === 'two_factor_required') await recoverFactor(at, thief)
  if (refusal !== null) return
  if (chance.is(0.5)) await turnOnApp(at, thief)
  const sinceMs = world.now()
  const json = withdrawalOf(at, email, chance)
  const key = `thief-${chance.whole(0, 1e9)}`
  const first = await thief.post('/withdrawals', json, key)
  const code =
    thief.secret === null ? codeIn(thief.mail(/^Confirm your withdrawal$/, { sinceMs })) : thief.code()
  if (first.body.code !== 'step_up_required' || code === null) return
  const { status, body } = await thief.post('/withdrawals', { ...json, code }, key)
  if (status !== 201) return
  model.held(body._id, email, Math.round(Number(json.amount) * 100), thief.token)
  victim.stolen.push(body._id)
  if (body.heldUntil === undefined)
    throw new Broken('thiefGetsNothing', `${email}: a withdrawal to a new address is not delayed`)
}

/** The owner reads the mails about what the thief did, stops it with their links, and takes a new password. */
export async function notice(at: Operating, victim: Investor, chance: Chance): Promise<void> {
  if (!victim.isRobbed || victim.stage !== 'verified') return
  const { client, stolen } = victim
  const page = '/stop-factor-recovery'
  const token = linkIn(client.mail(/./, { link: page }), page)?.searchParams.get('token')
  if (token !== undefined) await client.post('/auth/factor-recovery/stop', { token })
  else await lockAccount(at, victim, chance)
  const refusal = await resetPassword(at, victim, chance)
  const isLate = refusal === 'no_mail' || refusal === 'invalid_credentials'
  // Too late if no mail has arrived.
  if (isLate && !at.model.locked.has(client.email)) return
  victim.isRobbed = false
  for (const id of stolen.splice(0)) at.model.reported.set(id, at.world.now())
  client.signOut()
}

/** Somebody who knows the password, in another place. */
function strangerWith({ world, watch }: Operating, { email, password }: Client): Client {
  return new Client(world, watch, { email, password, ip: '192.0.2.66' })
}

const DESTINATION = { type: 'bitcoin', network: 'btc', address: segwitSigner('thief').address }

function withdrawalOf({ model }: Operating, email: string, chance: Chance) {
  const most = Math.max(1000, model.purse(email).available)
  return { ...DESTINATION, amount: (chance.whole(1000, most) / 100).toFixed(2) }
}

/** Withdraws to a new address without the mailed code, and then with guessed ones. */
async function guessCodes(at: Operating, thief: Client, chance: Chance): Promise<void> {
  const json = withdrawalOf(at, thief.email, chance)
  for (const code of [undefined, ...Array.from({ length: 5 }, () => sixDigits(chance))])
    await fails(thief, 'POST', '/withdrawals', { ...json, code })
}

async function fails(thief: Client, method: string, path: string, json: object): Promise<void> {
  const { status } = await thief.send(method, path, { json })
  if (status === 200 || status === 201)
    throw new Broken('thiefGetsNothing', `${thief.email}: ${method} ${path} without the right proof`)
}

function sixDigits(chance: Chance): string {
  return String(chance.whole(0, 999_999)).padStart(6, '0')
}
