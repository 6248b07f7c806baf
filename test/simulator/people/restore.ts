import { buildLockOutSql } from '../../../scripts/backup/shuttingOut.ts'
import { runCron } from '../cron.ts'
import { backUp, type DatabaseBackup, restore } from '../lane/backup.ts'
import type { Chance } from '../lane/chance.ts'
import type { Memory, Model, Payout } from '../model.ts'
import { Broken } from '../watch.ts'
import type { Client } from './client.ts'
import type { Investor } from './investor.ts'
import { approveProposal, decide, liftLocks, type Operating } from './operator.ts'
import { type Administrators, administratorsOf, inviteThird } from './staff.ts'

interface Cast {
  readonly operators: Client[]
  readonly investors: readonly Investor[]
}

/** A backup, and what the model and the people had at that moment. */
export interface Backup {
  readonly database: DatabaseBackup
  readonly memory: Memory
  readonly people: readonly Pick<Investor, 'stage'>[]
  readonly accounts: readonly { readonly email: string; readonly secret: string | null }[]
  readonly third: Client | undefined
}

/** Makes the backup of the night. */
export async function makeBackup(
  { world, model }: Operating,
  { operators, investors }: Cast,
): Promise<Backup> {
  return {
    database: await backUp(world.database),
    memory: model.remember(),
    people: investors.map(({ stage }) => ({ stage })),
    accounts: investors.map(({ client: { email, secret } }) => ({ email, secret })),
    third: operators[2],
  }
}

/** How often the operators try to record the payouts: for 15 days. In a storm there may be no price for that long. */
const ROUNDS = 60
const ROUND_MS = 6 * 3_600_000

/**
 * Restores a backup as docs/runbook.md says: the site stays closed until every payout since the backup is recorded again, or its
 * account frozen. Then everybody learns what is lost. Only outside the platform it is not: payments that were made, and mails.
 */
export async function restoreBackup(
  at: Operating,
  { operators, investors }: Cast,
  backup: Backup,
  chance: Chance,
): Promise<void> {
  const { world, model } = at
  const administrators = administratorsOf(operators)
  const reversed = reversedSince(model, backup.memory)
  const lost = forgetPayouts(model, backup, investors)
  forgetDeposits(model, backup.memory, investors)
  await restore(world.database, backup.database)
  await world.database.execute(
    buildLockOutSql(
      administrators.map(({ email }) => email),
      world.now(),
    ),
  )
  model.goBackTo(backup.memory)
  model.restoredAtMs = world.now()
  world.mailboxes.takeHandedOver()
  world.deploy('both')
  learnWhatIsLost(investors, backup)
  if (backup.third !== undefined) operators[2] = backup.third
  for (let round = 0; round < ROUNDS; round++) {
    // Payouts in coins take a price, which cron asks for.
    for (let minute = 0; minute < 3; minute++) {
      world.pass(60_000)
      await runCron(at)
    }
    if (await recordAgain(at, administrators, reversed, lost)) {
      // Only the administrators are let in, because a backup does not say who lost access since.
      await inviteThird(at, administrators, operators, chance)
      return
    }
    world.pass(ROUND_MS)
  }
  const payouts = [...model.paidBefore.keys()].filter(
    (id) => model.withdrawals.get(id)?.status !== 'completed',
  )
  throw new Broken(
    'payoutsAreRecordedAgain',
    `not ${JSON.stringify({ payouts, reversals: [...reversed], lost })}`,
  )
}

/** Requests that were reversed since the backup: their payments were called back, or came back. */
function reversedSince({ deposits, withdrawals }: Model, memory: Memory): Set<string> {
  const then = new Map([...memory.deposits, ...memory.withdrawals])
  const since = [...deposits, ...withdrawals].flatMap(([id, { status }]) =>
    status === 'reversed' && then.get(id)?.status !== 'reversed' ? [id] : [],
  )
  return new Set(since)
}

/** Finds the payouts that the backup does not have. Returns those whose withdrawal it does not have either. */
function forgetPayouts(model: Model, { memory, accounts }: Backup, investors: readonly Investor[]): Payout[] {
  const lost: Payout[] = []
  for (const [id, payout] of model.payouts) {
    const then = memory.withdrawals.get(id)
    if (then === undefined) {
      model.payouts.delete(id)
      const who = investors.findIndex(({ client }) => client.email === payout.investor)
      lost.push({ ...payout, investor: accounts[who]?.email ?? payout.investor })
    } else if (then.status !== 'completed') model.paidBefore.set(id, payout.reference)
  }
  // A payout that came back since then is reversed again.
  for (const [id, payout] of memory.payouts) if (!model.payouts.has(id)) model.payouts.set(id, payout)
  for (const payout of lost) model.unbooked.add(payout)
  return lost
}

/** Payments whose deposits are lost are announced again by their investors. Those that were called back are not credited again. */
function forgetDeposits(model: Model, memory: Memory, investors: readonly Investor[]): void {
  for (const [id, { investor, cents, status }] of model.deposits) {
    const payment = model.payments.get(id)
    if (payment === undefined) continue
    if (status === 'reversed' && memory.deposits.get(id)?.status === 'pending') model.payments.delete(id)
    if (memory.deposits.has(id) || (status !== 'pending' && status !== 'approved')) continue
    investors.find(({ client }) => client.email === investor)?.unannounced.push({ payment, cents })
  }
}

/** People read what may be lost, and go on with the account as it was. An app that was turned on since then is of no use. */
function learnWhatIsLost(investors: readonly Investor[], { people, accounts }: Backup): void {
  for (const [who, investor] of investors.entries()) {
    const { client } = investor
    const account = accounts[who]
    investor.stage = people[who]?.stage ?? 'new'
    client.email = account?.email ?? client.email
    client.signOut()
    if (client.secret === account?.secret) continue
    client.secret = null
    client.recoveryCodes = []
  }
}

/**
 * One round of the operators: payouts are recorded under their own references, reversals repeated, all other open withdrawals
 * rejected and the accounts of lost payouts frozen. Returns whether all of that is done.
 */
async function recordAgain(
  at: Operating,
  [first, second]: Administrators,
  reversed: Set<string>,
  lost: Payout[],
): Promise<boolean> {
  const { model } = at
  for (const each of [first, second]) {
    if ((await each.signIn()) !== null) return false
    await liftLocks(at, each)
  }
  for (const id of model.paidBefore.keys()) await recordPayout(at, [first, second], id, lost)
  for (const id of reversed) if (await reverseAgain(at, [first, second], id)) reversed.delete(id)
  const isOpen = (id: string): boolean => {
    const status = model.withdrawals.get(id)?.status
    return status === 'pending' || status === 'approved'
  }
  for (const id of model.withdrawals.keys())
    if (isOpen(id) && !model.paidBefore.has(id)) await reject(at, first, id)
  // A frozen account is paid nothing, so its other payouts come first.
  if ([...model.withdrawals.keys()].some(isOpen)) return false
  for (const payout of lost.splice(0)) if (!(await freeze(at, first, payout.investor))) lost.push(payout)
  return reversed.size + lost.length === 0
}

/** Approves and completes a withdrawal that was paid, under the reference of its payout. */
async function recordPayout(
  at: Operating,
  [first, second]: Administrators,
  id: string,
  lost: Payout[],
): Promise<void> {
  const { world, model } = at
  const withdrawal = model.withdrawals.get(id)
  const payout = model.payouts.get(id)
  if (withdrawal === undefined || payout === undefined) return
  const path = `/operator/withdrawals/${id}`
  const key = `again-${id}-${world.now()}`
  if (withdrawal.status === 'pending') {
    const { status, body } = await decide(
      first,
      `${path}/approve`,
      { riskReason: 'Called back, all is in order' },
      `${key}-approve`,
    )
    if (status === 200) model.agreed(id)
    // The debt was repaid by a deposit that is not in the backup. The released money repays it.
    else if (body.code === 'debt_outstanding' && (await reject(at, first, id))) {
      model.payouts.delete(id)
      model.paidBefore.delete(id)
      model.unbooked.add(payout)
      lost.push(payout)
    }
  }
  if (withdrawal.status !== 'approved') return
  // A large payout takes another operator than the one who approved it, which may have been either.
  for (const [place, each] of [second, first].entries()) {
    const { reference, quantity } = payout
    const sent = { reference, quantity }
    const { status } = await decide(
      each,
      `${path}/complete`,
      { ...sent, riskReason: 'Called back, all is in order' },
      `${key}-complete-${place}`,
    )
    if (status !== 200) continue
    model.paid(id, each.email, sent)
    return
  }
}

async function reject({ world, model }: Operating, operator: Client, id: string): Promise<boolean> {
  const path = `/operator/withdrawals/${id}/reject`
  const json = { reason: 'Please file it again: we restored a backup' }
  const { status } = await operator.post(path, json, `lost-${id}-${world.now()}`)
  if (status === 200) model.released(id, 'rejected', operator.email)
  return status === 200
}

async function reverseAgain(
  at: Operating,
  [first, second]: Administrators,
  request: string,
): Promise<boolean> {
  const status = (at.model.deposits.get(request) ?? at.model.withdrawals.get(request))?.status
  if (status !== 'approved' && status !== 'completed') return true
  // It may be proposed already: in the backup, or in a round before this one.
  const { rows } = await first.get('/operator/proposals?status=pending&order=oldest&limit=50')
  let proposal = rows.find(({ kind, request: of }) => kind === 'reversal' && of?._id === request)
  if (proposal === undefined) {
    const json = { kind: 'reversal', request, reason: 'Decided before the backup was restored' }
    const reply = await decide(first, '/operator/proposals', json, `again-${request}-${at.world.now()}`)
    if (reply.status !== 201) return false
    proposal = reply.body
  }
  // Who proposed it may be either.
  for (const each of [second, first])
    if ((await approveProposal(at, each, proposal)).status === 200) return true
  return false
}

/** Freezes an account until its investor files the lost withdrawal again. An account that is lost too needs nothing. */
async function freeze({ world, model }: Operating, operator: Client, email: string): Promise<boolean> {
  const { status, rows } = await operator.get(`/operator/investors?query=${encodeURIComponent(email)}`)
  const account = rows.find((each) => each.email === email)
  if (account === undefined) return status === 200
  const json = { reason: 'A payout is missing in our books' }
  const path = `/operator/investors/${account._id}/freeze`
  const reply = await operator.post(path, json, `freeze-${account._id}-${world.now()}`)
  if (reply.status === 200) model.frozen.set(email, account._id)
  return reply.status === 200 || reply.body.code === 'already_decided'
}
