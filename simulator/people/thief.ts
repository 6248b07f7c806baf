import { segwitSigner } from '../../test/support/signers.ts'
import type { Chance } from '../lane/chance.ts'
import { Broken } from '../watch.ts'
import { Client } from './client.ts'
import type { Investor } from './investor.ts'
import type { Operating } from './operator.ts'

/** Signs in with a stolen password from another place, and tries to take the money out without the owner's mailbox. */
export async function steal(
  { world, watch, model }: Operating,
  victim: Investor,
  chance: Chance,
): Promise<void> {
  if (victim.stage !== 'verified') return
  const { email, password } = victim.client
  const thief = new Client(world, watch, { email, password, ip: '192.0.2.66' })
  thief.secret = null
  if ((await thief.signIn()) !== null) return
  const { available } = model.purse(email)
  const cents = Math.max(1000, chance.whole(1000, Math.max(1000, available)))
  const { address } = segwitSigner('thief')
  const json = { amount: (cents / 100).toFixed(2), type: 'bitcoin', network: 'btc', address }
  const first = await thief.post('/withdrawals', json, `thief-${chance.whole(0, 1e9)}`)
  if (first.status === 201)
    throw new Broken('thiefGetsNothing', `${email}: a withdrawal to a new address without proof`)
  for (let guess = 0; guess < 5; guess++) {
    const code = String(chance.whole(0, 999_999)).padStart(6, '0')
    const reply = await thief.post('/withdrawals', { ...json, code })
    if (reply.status === 201) throw new Broken('thiefGetsNothing', `${email}: a guessed code was right`)
  }
}
