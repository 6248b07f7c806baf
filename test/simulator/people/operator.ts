import { DAY_MS } from '../../../src/time.ts'
import { readIdentityData } from '../../support/identityData.ts'
import type { Chance } from '../lane/chance.ts'
import { priceOf } from '../lane/prices.ts'
import type { World } from '../lane/world.ts'
import type { Model, Payment } from '../model.ts'
import { Broken, type Watch } from '../watch.ts'
import type { Body, Client, Reply } from './client.ts'

export interface Operating {
  readonly world: World
  readonly watch: Watch
  readonly model: Model
  /** How often an investor compares every screen with the model on a visit, from 0 to 1. */
  readonly thoroughness: number
}

/** How an operator works. */
export interface Character {
  /** The share of the queue that is decided on a visit. */
  readonly diligence: number
  /** How often something is rejected without a reason. */
  readonly rejects: number
  /** Tries to credit and pay more than allowed, and to approve own proposals. */
  readonly isCorrupt: boolean
}

export const CAREFUL: Character = { diligence: 1, rejects: 0.06, isCorrupt: false }
export const HASTY: Character = { diligence: 0.6, rejects: 0.15, isCorrupt: false }
export const CORRUPT: Character = { diligence: 0.5, rejects: 0.05, isCorrupt: true }

/** The most cases of one queue that an operator decides on a visit. */
const MOST_CASES = 15
/** How long an honest operator waits for a payment. */
const PATIENCE_MS = 5 * DAY_MS

/** Turns the authenticator app on, as a new operator must. Returns whether it is on. */
export async function turnOnApp(client: Client): Promise<boolean> {
  const setup = await client.post('/auth/two-factor/setup')
  if (setup.status !== 200) return false
  client.secret = setup.body.secret
  const first = await client.post('/auth/two-factor/enable', { code: client.code() })
  if (first.status === 200) return true
  const proof = /\b\d{6}\b/.exec(client.mail(/^Confirm your new second factor$/) ?? '')?.[0]
  const second = await client.post('/auth/two-factor/enable', { code: client.code(), proof })
  return second.status === 200
}

/** One visit of an operator: documents, deposits, withdrawals and proposals, oldest first. */
export async function work(
  at: Operating,
  client: Client,
  character: Character,
  chance: Chance,
): Promise<void> {
  if ((await client.signIn()) !== null) return
  await decideDocuments(at, client, character, chance)
  await decideDeposits(at, client, character, chance)
  await decideWithdrawals(at, client, character, chance)
  await proposeRecoveries(at, client, character, chance)
  await liftLocks(at, client)
  await unfreeze(at, client)
  if (character.isCorrupt && chance.is(0.2)) await proposeBonus(client, chance)
  await decideProposals(at, client, character)
  client.signOut()
}

/** Sends a decision, and again with a code if the amount needs one of its own. */
export async function decide(client: Client, path: string, json: object, key: string): Promise<Reply> {
  const reply = await client.post(path, json, key)
  if (reply.body.code !== 'step_up_required') return reply
  return client.post(path, { ...json, code: client.code() }, key)
}

async function decideDocuments({ watch }: Operating, client: Client, character: Character, chance: Chance) {
  const { rows } = await client.get('/operator/kyc?status=pending&order=oldest&limit=50')
  for (const row of rows.slice(0, MOST_CASES)) {
    if (!chance.is(character.diligence)) continue
    await client.get(`/operator/kyc/${row._id}/document`)
    const isRejected = chance.is(character.rejects)
    const reply = isRejected
      ? await client.post(
          `/operator/kyc/${row._id}/reject`,
          { reason: 'The picture is not sharp' },
          `kyc-${row._id}`,
        )
      : await client.post(`/operator/kyc/${row._id}/approve`, readIdentityData(row._id), `kyc-${row._id}`)
    if (reply.status === 200) watch.decided()
  }
}

async function decideDeposits(at: Operating, client: Client, character: Character, chance: Chance) {
  const { world, watch, model } = at
  const { rows } = await client.get('/operator/deposits?status=pending&order=oldest&limit=50')
  for (const row of rows.slice(0, MOST_CASES)) {
    if (!chance.is(character.diligence)) continue
    await client.get(`/operator/deposits/${row._id}/receipt`)
    const payment = model.payments.get(row._id)
    const key = `deposit-${row._id}-${client.email}`
    if (!character.isCorrupt && (payment === undefined || chance.is(character.rejects))) {
      // The payment may still arrive.
      const isYoung = world.now() - Date.parse(row.createdAt) < PATIENCE_MS
      if (payment === undefined && isYoung) continue
      const reply = await client.post(
        `/operator/deposits/${row._id}/reject`,
        { reason: 'Nothing arrived' },
        `${key}-no`,
      )
      if (reply.status === 200) {
        watch.decided()
        model.closed(row._id, 'rejected', client.email)
      }
      continue
    }
    const first = row.firstApproval
    const said = model.firstApprovals.get(row._id)
    if (first && said !== undefined && world.isCalm() && first.amount !== said)
      throw new Broken(
        'firstApprovalIsWhatWasSaid',
        `Deposit ${row._id}: ${said} was approved, and the second operator sees ${first.amount}`,
      )
    const arrived = payment ?? inventedPayment(at, row, chance)
    const amount = first?.amount ?? row.amount
    const isRaised = character.isCorrupt && first === undefined && chance.is(0.3)
    const credited = (isRaised ? chance.pick([amount + 1, amount * 10]) : amount).toFixed(2)
    const reply = await decide(
      client,
      `/operator/deposits/${row._id}/approve`,
      {
        riskReason: 'Called back, all is in order',
        reference: first?.reference ?? arrived.reference,
        amount: credited,
        quantity: arrived.quantity,
      },
      key,
    )
    if (reply.body.code === 'conflict' && world.isCalm())
      throw new Broken('noDeadEnds', `Deposit ${row._id}: nobody else decides, and its credit is a conflict`)
    if (reply.status === 202) model.firstApprovals.set(row._id, Number(credited))
    if (reply.status === 200) {
      watch.decided()
      model.credited(row._id, Math.round(reply.body.amount * 100), client.email)
    }
  }
}

/** A payment that never arrived, at times under the transaction id of another one. */
function inventedPayment({ model }: Operating, { quantity }: Body, chance: Chance): Omit<Payment, 'network'> {
  const [used] = model.payments.values()
  const isUsed = used !== undefined && chance.is(0.5)
  return { reference: isUsed ? used.reference : reference(chance), quantity: quantity ?? '1' }
}

async function decideWithdrawals(at: Operating, client: Client, character: Character, chance: Chance) {
  const { watch, model } = at
  const { rows: pending } = await client.get('/operator/withdrawals?status=pending&order=oldest&limit=50')
  for (const row of pending.slice(0, MOST_CASES)) {
    if (!chance.is(character.diligence)) continue
    // A withdrawal is approved again after its payouts were stopped.
    const key = `withdrawal-${row._id}-${client.email}-${at.world.now()}`
    const isPaid = model.paidBefore.has(row._id)
    if ((chance.is(character.rejects) && !isPaid) || model.reported.has(row._id)) {
      const reply = await client.post(
        `/operator/withdrawals/${row._id}/reject`,
        { reason: 'Please contact us' },
        `${key}-no`,
      )
      if (reply.status === 200) {
        watch.decided()
        model.released(row._id, 'rejected', client.email)
      }
      continue
    }
    const reply = await decide(
      client,
      `/operator/withdrawals/${row._id}/approve`,
      { riskReason: 'Called back, all is in order' },
      key,
    )
    if (reply.status === 200) {
      watch.decided()
      model.agreed(row._id)
    }
    if (reply.body.code === 'debt_outstanding') await refuseDebtor(at, client, row)
    if (character.isCorrupt) await pay(at, client, row, character, chance)
  }
  const { rows: approved } = await client.get('/operator/withdrawals?status=approved&order=oldest&limit=50')
  for (const row of approved.slice(0, MOST_CASES)) {
    if (chance.is(character.diligence)) await pay(at, client, row, character, chance)
  }
}

/** Nothing is paid to a debtor. The released money repays the debt. */
async function refuseDebtor({ watch, model }: Operating, client: Client, { _id }: Body): Promise<void> {
  const key = `withdrawal-${_id}-${client.email}-debt`
  const reply = await client.post(`/operator/withdrawals/${_id}/reject`, { reason: 'You owe money' }, key)
  if (reply.status !== 200) return
  watch.decided()
  model.released(_id, 'rejected', client.email)
}

async function pay(
  at: Operating,
  client: Client,
  row: Body,
  { isCorrupt }: Character,
  chance: Chance,
): Promise<void> {
  const { world, watch, model } = at
  const payout = {
    reference: model.paidBefore.get(row._id) ?? reference(chance),
    quantity: model.payouts.get(row._id)?.quantity ?? (await quantityToSend(at, client, row)),
  }
  // More than was due goes to an accomplice.
  if (isCorrupt && payout.quantity !== null && !model.paidBefore.has(row._id) && chance.is(0.3))
    payout.quantity = (Number(payout.quantity) * 1.5).toFixed(8)
  const reply = await decide(
    client,
    `/operator/withdrawals/${row._id}/complete`,
    { ...payout, riskReason: 'Called back, all is in order' },
    `payout-${row._id}-${client.email}-${world.now()}`,
  )
  if (reply.status === 200) {
    watch.decided()
    model.paid(row._id, client.email, payout)
  }
  if (reply.body.code === 'debt_outstanding') await refuseDebtor(at, client, row)
}

/** As the screen says or, if the approval found no price, at the price of the moment. Null for a bank. */
async function quantityToSend({ world }: Operating, client: Client, row: Body): Promise<string | null> {
  if (row.network !== 'btc') return null
  const { body: shown } = await client.get(`/operator/withdrawals/${row._id}`)
  return shown.toSend?.quantity ?? (row.amount / priceOf('bitcoin', world.now())).toFixed(8)
}

/** Proposes to remove lost second factors, which another reviewer decides, or refuses to. */
async function proposeRecoveries({ watch }: Operating, client: Client, character: Character, chance: Chance) {
  const { rows } = await client.get('/operator/factor-recoveries?status=open&order=oldest&limit=50')
  for (const { _id, status, document } of rows) {
    if (status !== 'filed' || !chance.is(character.diligence)) continue
    const path = `/operator/factor-recoveries/${_id}`
    await openDocument(client, { document })
    const reply = chance.is(character.rejects)
      ? await client.post(`${path}/reject`, { reason: 'The video call failed' })
      : await decide(
          client,
          `${path}/propose`,
          { reason: 'Video call, passport compared', riskReason: 'Called back, all is in order' },
          `recovery-${_id}`,
        )
    if (reply.status < 300 && reply.status > 0) watch.decided()
  }
}

/** Opens the identity document of a lost second factor, with which both reviewers compare its owner. */
async function openDocument(client: Client, recovery: Body['recovery']): Promise<void> {
  if (recovery?.document) await client.get(`/operator/kyc/${recovery.document._id}/document`)
}

/** Unfreezes the accounts of payouts that a restored backup does not have, so that their investors file them again. */
async function unfreeze({ world, watch, model }: Operating, client: Client): Promise<void> {
  for (const [email, id] of model.frozen) {
    const key = `unfreeze-${id}-${client.email}-${world.now()}`
    const { status } = await decide(client, `/operator/investors/${id}/unfreeze`, { reason: 'Restored' }, key)
    if (status !== 200) continue
    watch.decided()
    model.frozen.delete(email)
  }
}

/** Agrees to lift the locks of investors who asked for it. The second operator lifts them. */
export async function liftLocks({ world, watch, model }: Operating, client: Client): Promise<void> {
  for (const email of model.locked) {
    const { rows } = await client.get(`/operator/investors?account=locked&query=${encodeURIComponent(email)}`)
    for (const { _id } of rows) {
      const path = `/operator/investors/${_id}/unfreeze`
      const { status } = await decide(
        client,
        path,
        { reason: 'Called' },
        `unlock-${_id}-${client.email}-${world.now()}`,
      )
      if (status === 200 || status === 202) watch.decided()
      if (status === 200) model.locked.delete(email)
    }
  }
}

/** A gift to an accomplice, which the proposer then tries to approve too. */
async function proposeBonus(client: Client, chance: Chance): Promise<void> {
  const [accomplice] = (await client.get('/operator/investors?limit=1')).rows
  if (accomplice === undefined) return
  const bonus = { kind: 'bonus', investor: accomplice._id, amount: '900.00', reason: 'A gift' }
  await decide(client, '/operator/proposals', bonus, `bonus-${reference(chance).slice(0, 16)}`)
}

/**
 * Honest operators know of no bonus and reject it. A corrupt one approves everything. Each rejects a proposal that can no longer be
 * carried out.
 */
async function decideProposals(at: Operating, client: Client, character: Character): Promise<void> {
  const { rows } = await client.get('/operator/proposals?status=pending&order=oldest&limit=50')
  for (const row of rows) {
    if (row.kind === 'bonus' && !character.isCorrupt) {
      await rejectProposal(at, client, row, 'Nobody agreed to it')
      continue
    }
    const { body } = await approveProposal(at, client, row)
    if (OVERTAKEN.has(body.code ?? '')) await rejectProposal(at, client, row, 'It is too late for it')
  }
}

/** Refusals of an approval that will not change: the recovery was stopped, or the account was closed. */
const OVERTAKEN: ReadonlySet<string> = new Set(['conflict', 'account_closed'])

async function rejectProposal({ watch }: Operating, client: Client, { _id }: Body, reason: string) {
  const key = `proposal-${_id}-${client.email}-no`
  const { status } = await client.post(`/operator/proposals/${_id}/reject`, { reason }, key)
  if (status === 200) watch.decided()
}

/** Approves a proposal. Of two who do so at once, one is told that it counts. */
export async function approveProposal(
  { watch, model }: Operating,
  client: Client,
  { _id, kind, request }: Body,
): Promise<Reply> {
  const key = `proposal-${_id}-${client.email}`
  if (kind === 'factor_recovery') {
    const { body } = await client.get(`/operator/proposals/${_id}`)
    await openDocument(client, body.recovery)
  }
  const checked = { reason: 'Compared by me', riskReason: 'Called back, all is in order' }
  const reply = await decide(client, `/operator/proposals/${_id}/approve`, checked, key)
  if (reply.status !== 200) return reply
  watch.decided()
  if (kind === 'reversal' && request !== undefined) model.reversed(request._id)
  return reply
}

/** A transaction id that nobody used. */
export function reference(chance: Chance): string {
  const bytes = new Uint8Array(32)
  chance.fill(bytes)
  return Buffer.from(bytes).toString('hex')
}
