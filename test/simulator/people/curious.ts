import type { Chance } from '../lane/chance.ts'
import { Broken } from '../watch.ts'
import type { Client } from './client.ts'
import type { Operating } from './operator.ts'

/** After this time without a request, a session is over. */
const IDLE_MS = 2 * 3_600_000

/** Asks for what belongs to somebody else: it must not be there. */
export async function pry({ world, model }: Operating, client: Client): Promise<void> {
  const { token } = client
  for (const [id, { investor }] of model.strangersOf(client.email)) {
    const { status } = await client.get(`/transaction-history/${id}`)
    if (status === 200) throw new Broken('othersStayPrivate', `${client.email} sees ${id} of ${investor}`)
  }
  // An old session, left open on another computer.
  const left = model.leftOpen.get(client.email)
  if (left === undefined || world.now() < left.overAtMs) return
  model.leftOpen.delete(client.email)
  client.token = left.token
  const { status } = await client.get('/limits')
  client.token = token
  if (status === 200) throw new Broken('sessionsEnd', `${client.email}: ${left.what} still works`)
}

/** Signs out, or just closes the browser. What is left open must not work later. */
export async function leave({ world, model }: Operating, client: Client): Promise<void> {
  const { token, email } = client
  const isForgotten = Math.floor(world.now() / 1000) % 3 === 0
  if (token !== null && isForgotten)
    model.leftOpen.set(email, {
      token,
      what: 'a session that was left open',
      overAtMs: world.now() + IDLE_MS,
    })
  if (!isForgotten) {
    const { status } = await client.post('/auth/logout')
    if (token !== null && status === 204)
      model.leftOpen.set(email, { token, what: 'a session that was signed out', overAtMs: world.now() })
  }
  client.signOut()
}

interface Confirmed {
  readonly path: string
  readonly json: object
  readonly cents: number
  readonly code: string
}

/** A code lives for ten minutes. */
const CODE_MS = 10 * 60_000

/** Tries a mailed code for another amount, or too late. Returns false if the code is used up by that. */
export async function misuseCode(
  { world }: Operating,
  client: Client,
  { path, json, cents, code }: Confirmed,
  chance: Chance,
): Promise<boolean> {
  if (chance.is(0.2)) {
    const more = await client.post(path, { ...json, amount: ((cents + 1) / 100).toFixed(2), code })
    if (more.status === 201)
      throw new Broken(
        'codesConfirmOneWithdrawal',
        `${client.email}: a code for ${cents} cents confirmed more`,
      )
  }
  if (!chance.is(0.15)) return true
  world.pass(CODE_MS + 1000)
  const late = await client.post(path, { ...json, code })
  if (late.status === 201)
    throw new Broken('codesExpire', `${client.email}: a code of ten minutes ago worked`)
  return false
}

/**
 * A key for an idempotent request: at times one that somebody else used, as clients with poor chance make them. It must work as
 * any other.
 */
export function sharedKey({ model }: Operating, client: Client, own: string): string {
  const { lastKey } = model
  // By the client, because a person may move to another mailbox in between.
  model.lastKey = { client, key: own }
  return lastKey !== null && lastKey.client !== client ? lastKey.key : own
}

/** Sends another request with a key that was used: it must be refused, and not answered like the first one. */
export async function reuseKey(client: Client, path: string, json: object, key: string): Promise<void> {
  const { status } = await client.post(path, json, key)
  if (status === 200 || status === 201)
    throw new Broken('keysBelongToOneRequest', `${client.email}: a used key was accepted for another request`)
}
