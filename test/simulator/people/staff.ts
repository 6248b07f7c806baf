import { DAY_MS } from '../../../src/time.ts'
import { generateToken, newId, sha256Hex } from '../../../worker/lib/crypto/tokens.ts'
import { segwitSigner } from '../../support/signers.ts'
import type { Chance } from '../lane/chance.ts'
import type { World } from '../lane/world.ts'
import type { Model } from '../model.ts'
import { Broken } from '../watch.ts'
import { type Body, Client } from './client.ts'
import { approveProposal, CORRUPT, decide, type Operating, reference, turnOnApp, work } from './operator.ts'

/** The password of everybody. */
export const PASSWORD = 'correct-horse-battery-staple'

export type Administrators = readonly [Client, Client]

/** Appoints the operators and opens receiving wallets, as on the first day of a platform. */
export async function openHouse(at: Operating): Promise<Client[]> {
  const { world } = at
  world.begin(-1)
  const operators: Client[] = []
  for (const [index, roles] of [
    'reviewer treasurer administrator',
    'reviewer treasurer administrator',
    'reviewer treasurer',
  ].entries()) {
    const email = `operator${index}@evenkeel.test`
    const client = new Client(world, at.watch, { email, password: PASSWORD, ip: `198.51.100.${index + 1}` })
    if (index < 2) await appoint(world, email, roles, client)
    else if (!(await invite(administratorsOf(operators), client, 'invite')))
      throw new Error('The third operator did not join.')
    operators.push(client)
  }
  const [first, second] = administratorsOf(operators)
  for (const [network, coin] of [
    ['btc', 'bitcoin'],
    ['usdt-trc20', 'usdt'],
  ] as const) {
    await first.signIn()
    const address = network === 'btc' ? segwitSigner('house').address : 'TJRabPrwbZy45sbavfcjinPJC18kjpRTv8'
    const proposal = await decide(
      first,
      '/operator/proposals',
      { kind: 'wallet', walletName: coin, network, address },
      `wallet-${network}`,
    )
    if (proposal.status !== 201) throw new Error(`No wallet: ${JSON.stringify(proposal.body)}`)
    await second.signIn()
    const reply = await decide(
      second,
      `/operator/proposals/${proposal.body._id}/approve`,
      {},
      `wallet-${network}`,
    )
    if (reply.status !== 200) throw new Error(`No wallet: ${JSON.stringify(reply.body)}`)
  }
  await decideTerms([first, second], {
    referral: { minimumDeposit: 50, maturityDays: 2 },
    ...(world.seed % 2 === 0 && { referralBonus: 25 }),
  })
  return operators
}

/** Two administrators decide the fees: 15 % of profit, and $3 a month. In some runs they also decide a bonus. */
async function decideTerms([first, second]: Administrators, more: object): Promise<void> {
  const settings = { fees: { performanceBasisPoints: 1500, subscriptionMonthly: 3 }, ...more }
  const body = { kind: 'settings', settings, reason: 'As published' }
  await first.signIn()
  const proposal = await decide(first, '/operator/proposals', body, 'fees')
  await second.signIn()
  const reply = await decide(second, `/operator/proposals/${proposal.body._id}/approve`, {}, 'fees')
  if (reply.status !== 200) throw new Error(`No fees: ${JSON.stringify([proposal.body, reply.body])}`)
}

/** Appoints one of the first two administrators, as the owner of the database does on the command line. */
async function appoint(
  { database, now }: World,
  email: string,
  roles: string,
  client: Client,
): Promise<void> {
  const token = generateToken()
  await database.rows(
    `INSERT INTO operator_invitations (id, email, name, roles, created_at, token_hash, expires_at)
     VALUES (?, ?, ?, ?, ?, ?, ?)`,
    newId(),
    email,
    email,
    roles,
    now(),
    await sha256Hex(token),
    now() + 3 * DAY_MS,
  )
  if (!(await accept(client, token))) throw new Error(`${email} did not join.`)
}

/** Two administrators invite an operator, who accepts. Returns false if the mail has not come, or a failure intervened. */
async function invite([first, second]: Administrators, client: Client, key: string): Promise<boolean> {
  const { email } = client
  if ((await first.signIn()) !== null) return false
  const invited = { email, name: 'Third Operator', roles: ['reviewer', 'treasurer'] }
  const proposal = await decide(first, '/operator/operators/invite', invited, key)
  if (proposal.status !== 202 || (await second.signIn()) !== null) return false
  await decide(second, `/operator/proposals/${proposal.body._id}/approve`, {}, key)
  const token = /accept-invitation\?token=([\w-]+)/.exec(client.mail(/./) ?? '')?.[1]
  return token !== undefined && accept(client, token)
}

async function accept(client: Client, token: string): Promise<boolean> {
  const { password } = client
  const accepted = await client.post('/auth/accept-invitation', {
    token,
    password,
    confirmPassword: password,
  })
  return accepted.status === 201 && (await client.signIn()) === null && turnOnApp(client)
}

/** The first two operators. */
export function administratorsOf([first, second]: readonly Client[]): Administrators {
  if (first === undefined || second === undefined) throw new Error('There are no administrators.')
  return [first, second]
}

/** What the administrators decide now and then: settings, a reversal, or that the third operator leaves. */
export async function manage(at: Operating, operators: Client[], chance: Chance): Promise<void> {
  const [first, second] = administratorsOf(operators)
  const pair: Administrators = chance.is(0.5) ? [first, second] : [second, first]
  switch (chance.pick(['settings', 'reversal', 'reversal', 'leaver'])) {
    case 'settings':
      return changeSettings(at, pair, chance)
    case 'reversal':
      return reverse(at, pair, chance)
    case 'leaver':
      return replaceThird(at, pair, operators, chance)
  }
}

const SETTINGS = [
  { fees: { performanceBasisPoints: 0 } },
  { fees: { performanceBasisPoints: 1500, subscriptionMonthly: 3 } },
  { fees: { performanceBasisPoints: 2500 } },
  { fees: { subscriptionMonthly: 0 } },
  { fees: { subscriptionMonthly: 10 } },
  { twoPersonLimit: 2000 },
  { twoPersonLimit: 10_000 },
  { dailyCeilings: { creditsAlone: 10_000, payoutsAlone: 50_000 } },
  { dailyCeilings: { creditsAlone: 25_000 } },
  { minimums: { withdrawal: 10 } },
  { minimums: { withdrawal: 0 } },
  { referralBonus: 25 },
  { referralBonus: 7.5 },
  { referralBonus: 0 },
] as const

/** Two administrators change settings. At times each proposes something, and approves the other's at the same moment. */
async function changeSettings(at: Operating, [first, second]: Administrators, chance: Chance): Promise<void> {
  if ((await first.signIn()) !== null || (await second.signIn()) !== null) return
  const proposed: [by: Client, proposal: Body][] = []
  for (const [by, other] of chance.is(0.5)
    ? ([
        [first, second],
        [second, first],
      ] as const)
    : ([[first, second]] as const)) {
    const body = { kind: 'settings', settings: chance.pick(SETTINGS), reason: 'Decided anew' }
    const reply = await decide(by, '/operator/proposals', body, `settings-${reference(chance).slice(0, 16)}`)
    if (reply.status === 201) proposed.push([other, reply.body])
  }
  const approvals = proposed.map(
    ([by, proposal]) =>
      () =>
        approveProposal(at, by, proposal),
  )
  const settled = await at.world.together(approvals)
  for (const each of settled) {
    if (each.status === 'rejected') throw each.reason
    if (settled.length === 1 && at.world.isCalm() && each.value.status !== 200)
      throw new Broken('noDeadEnds', `Nobody else decides, and a setting is refused: ${each.value.body.code}`)
  }
}

/** A credit whose payment was called back, or a payout that came back. */
async function reverse(at: Operating, [first, second]: Administrators, chance: Chance): Promise<void> {
  const request = chooseReversed(at.model, chance)
  if (request === undefined || (await first.signIn()) !== null) return
  const body = { kind: 'reversal', request, reason: 'The payment was called back' }
  const reply = await decide(first, '/operator/proposals', body, `reversal-${request}`)
  if (reply.status === 201 && (await second.signIn()) === null) await approveProposal(at, second, reply.body)
}

/** Any request that moved money; often a credit that was spent or invested, or that of somebody who was invited. */
function chooseReversed(
  { deposits, withdrawals, invited, purses }: Model,
  chance: Chance,
): string | undefined {
  const credits = [...deposits].filter(([, { status }]) => status === 'approved')
  const paid = [...withdrawals].filter(([, { status }]) => status === 'completed')
  const spent = credits.filter(([, { investor, cents }]) => cents > (purses.get(investor)?.available ?? 0))
  const ofInvited = credits.filter(([, { investor }]) => invited.has(investor))
  const among = chance.pick([[...credits, ...paid], spent, ofInvited])
  return among[chance.whole(0, Math.max(0, among.length - 1))]?.[0]
}

/** The third operator is disabled while working, and another one is invited instead. */
async function replaceThird(
  at: Operating,
  administrators: Administrators,
  operators: Client[],
  chance: Chance,
): Promise<void> {
  const { world } = at
  const [first] = administrators
  const leaving = operators[2]
  if (leaving === undefined || (await first.signIn()) !== null) return
  const row = (await first.get('/operator/operators?limit=100')).rows.find(
    ({ email }) => email === leaving.email,
  )
  if (row === undefined) return
  const disable = () =>
    first.post(`/operator/operators/${row._id}/disable`, { reason: 'Leaves' }, `leaves-${row._id}`)
  await leaving.signIn()
  const { token } = leaving
  const leave = async () => {
    await disable()
  }
  for (const each of await world.together([() => work(at, leaving, CORRUPT, chance), leave]))
    if (each.status === 'rejected') throw each.reason
  const { status, body } = await disable()
  if (status !== 200 && body.code !== 'already_decided') return
  leaving.token = token
  if ((await leaving.get('/operator/me')).status === 200 || (await leaving.signIn()) === null)
    throw new Broken('leftOperatorsAreOut', `${leaving.email} still has access`)
  await inviteThird(at, administrators, operators, chance)
}

/** Two administrators invite somebody as the third operator. */
export async function inviteThird(
  { world, watch }: Operating,
  administrators: Administrators,
  operators: Client[],
  chance: Chance,
): Promise<void> {
  const name = reference(chance).slice(0, 12)
  const next = new Client(world, watch, {
    email: `operator-${name}@evenkeel.test`,
    password: PASSWORD,
    ip: '198.51.100.3',
  })
  if (await invite(administrators, next, `invite-${name}`)) operators[2] = next
}
