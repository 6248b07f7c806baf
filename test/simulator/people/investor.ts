import { VERIFIED_ALREADY } from '../../../src/contract/identity/signIn.ts'
import { type Chance, chanceOf } from '../lane/chance.ts'
import { priceOf } from '../lane/prices.ts'
import type { Payment, Payout } from '../model.ts'
import { Broken } from '../watch.ts'
import { changeAccount, closeAccount, comeBack, regainAccess } from './account.ts'
import { Client, type Reply } from './client.ts'
import { leave, misuseCode, pry, reuseKey, sharedKey } from './curious.ts'
import { type Operating, reference } from './operator.ts'
import { formWith } from './picture.ts'
import { endPlans, keepPlans } from './plans.ts'
import { compareAll, compareOverview } from './screens.ts'
import { keepStops } from './stops.ts'

/** How an investor behaves. Probabilities of one visit. */
export interface Temperament {
  readonly name: string
  /** Visits in a month of 30 days. */
  readonly visits: number
  readonly doubleClicks: number
  readonly twoTabs: number
  readonly cancels: number
  /** Announces deposits and never pays them. */
  readonly forgets: number
  /** Loses or changes what protects the account: the password, the authenticator app. */
  readonly mishaps: number
}

export const TEMPERAMENTS = [
  { name: 'calm', visits: 1, doubleClicks: 0.05, twoTabs: 0.02, cancels: 0.05, forgets: 0.02, mishaps: 0.02 },
  {
    name: 'impatient',
    visits: 3,
    doubleClicks: 0.6,
    twoTabs: 0.1,
    cancels: 0.3,
    forgets: 0.02,
    mishaps: 0.02,
  },
  {
    name: 'forgetful',
    visits: 0.5,
    doubleClicks: 0.1,
    twoTabs: 0.02,
    cancels: 0.05,
    forgets: 0.4,
    mishaps: 0.02,
  },
  {
    name: 'with two tabs',
    visits: 2,
    doubleClicks: 0.1,
    twoTabs: 0.6,
    cancels: 0.1,
    forgets: 0.05,
    mishaps: 0.02,
  },
  {
    name: 'losing things',
    visits: 4,
    doubleClicks: 0.1,
    twoTabs: 0.02,
    cancels: 0.1,
    forgets: 0.05,
    mishaps: 0.2,
  },
] as const satisfies readonly Temperament[]

export interface Investor {
  readonly client: Client
  readonly temperament: Temperament
  readonly address: string
  /** Another address of the investor, which is in the address book. */
  readonly savings: string
  /** The referral ID of a closed account of theirs. */
  formerCode: string | null
  stage: 'new' | 'registered' | 'verified' | 'closed'
  /** When the newest registration was sent. Epoch milliseconds. */
  registeredAtMs: number
  /** From now on this investor only takes money out. */
  isLeaving: boolean
  /** Takes all money out too, and then closes the account. */
  isClosing: boolean
  /** Whether a thief got into the account, or is about to, and its owner has not noticed. */
  isRobbed: boolean
  /** Withdrawals that a thief filed. */
  readonly stolen: string[]
  /** Payments whose deposits are not in a restored backup. */
  readonly unannounced: { readonly payment: Payment; readonly cents: number }[]
}

const STRATEGIES = ['hold-the-index', 'slow-trend', 'strongest-two'] as const
const NETWORKS = [
  ['btc', 'bitcoin'],
  ['usdt-trc20', 'usdt'],
] as const

/** One visit: from registering on, the next thing this investor does. Ends with a comparison of the screens and the model. */
export async function visit(at: Operating, investor: Investor, chance: Chance): Promise<void> {
  const { client } = investor
  if (investor.stage === 'closed' && chance.is(0.5)) comeBack(at, investor)
  if (investor.stage === 'closed') return
  if (investor.stage === 'registered') await verify(at, investor)
  if (investor.stage === 'new') await open(at, investor, chance)
  if (investor.stage !== 'verified') return
  const refusal = await client.signIn()
  if (refusal !== null && !(await regainAccess(at, investor, refusal, chance))) return
  if (investor.isLeaving || investor.isClosing) await endPlans(investor)
  // Orders may have ended since the last visit.
  await bookOrders(at, investor)
  await seeReferrals(at, investor, chance)
  const { body: limits } = await client.get('/limits')
  if (limits.identity === 'none' || limits.identity === 'rejected') {
    const form = formWith({ document: 'Passport' }, client.email)
    await client.send('POST', '/kyc', { form, key: key(chance) })
  } else if (limits.identity === 'approved') {
    const isLacking = investor.unannounced.length > 0 || payoutsOf(at, client).length > 0
    const acts = isLacking
      ? [catchUp]
      : investor.isLeaving || investor.isClosing
        ? [redeemAll, withdrawAll]
        : [act]
    for (const each of acts) await each(at, investor, chance)
  } else if (chance.is(0.5)) {
    // Refused until the document is approved.
    await deposit(at, investor, chance)
  }
  // Comparing every screen takes most of a visit's requests. One investor of many looks at all of them now and then.
  const looksAround = investor.isLeaving || chance.is(at.thoroughness)
  await compareScreens(at, investor, looksAround)
  if (!investor.isLeaving && !investor.isClosing && chance.is(0.25)) await keepPlans(at, investor, chance)
  if (investor.isClosing) await closeAccount(at, investor)
  else if (!investor.isLeaving && chance.is(investor.temperament.mishaps))
    await changeAccount(at, investor, chance)
  if (!investor.isLeaving && !investor.isClosing && chance.is(0.3)) await keepStops(investor, chance)
  await leave(at, client)
}

/** Opens an account. At times a stranger registers the address first, which must be worth nothing. */
async function open(at: Operating, investor: Investor, chance: Chance): Promise<void> {
  const { email } = investor.client
  const stranger = chance.is(0.1) ? await registerFirst(at, email, chance) : null
  await register(at, investor, chance)
  if (investor.stage === 'registered') await verify(at, investor)
  if (stranger !== null && (await stranger.signIn()) === null)
    throw new Broken('thiefGetsNothing', `${email}: a stranger registered this address and signed in`)
}

/** Registers, at times with somebody's referral link. Who closed an account tries its own link first, which invites nobody. */
async function register({ world, model }: Operating, investor: Investor, chance: Chance): Promise<void> {
  const { client } = investor
  const codes = [...model.codes.values()]
  const referralID =
    investor.formerCode ??
    (chance.is(0.4) ? codes[chance.whole(0, Math.max(0, codes.length - 1))] : undefined)
  investor.formerCode = null
  investor.registeredAtMs = world.now()
  const reply = await client.post('/auth/register', registrationOf(client, referralID))
  if (reply.status !== 201) return
  investor.stage = 'registered'
  if (referralID === undefined) model.invited.delete(client.email)
  else model.invited.set(client.email, referralID)
}

/** Somebody else registers an investor's address first, with a password and a referral link of their own. */
async function registerFirst(
  { world, watch, model }: Operating,
  email: string,
  chance: Chance,
): Promise<Client> {
  const stranger = new Client(world, watch, { email, password: STRANGERS_PASSWORD, ip: '192.0.2.67' })
  const codes = [...model.codes.values()]
  const code = codes[chance.whole(0, Math.max(0, codes.length - 1))]
  await stranger.post('/auth/register', registrationOf(stranger, code))
  // The mails name the minute of a registration.
  world.pass(2 * MINUTE_MS)
  return stranger
}

/** It begins as all passwords here do, which the rule about logs looks for. */
const STRANGERS_PASSWORD = 'correct-horse-of-a-stranger'
const MINUTE_MS = 60_000
/** The largest minimum of a withdrawal, by network and by what administrators decide. */
const LEAST_CENTS = 1000

function registrationOf({ email, password }: Client, referralID: string | undefined): object {
  return {
    referralID,
    fullname: 'sam ample',
    email,
    phone: '+41 79 555 01 23',
    password,
    country: 'Switzerland',
    acceptedTerms: true,
  }
}

/** Opens the link of the own registration, or asks for it again. After a day, a registration is over. */
async function verify({ world }: Operating, investor: Investor): Promise<void> {
  const { client, registeredAtMs } = investor
  for (let tries = 0; tries < 2; tries++) {
    const mail = client.mails(/verify/i).find(({ text }) => registrationTimeIn(text) >= registeredAtMs)
    const link = /https:\S*verify-email\S*/.exec(mail?.text ?? '')?.[0]
    if (link !== undefined) {
      const reply = await client.post('/auth/verify-email', Object.fromEntries(new URL(link).searchParams))
      if (reply.status === 200 || reply.body.reasons?.includes(VERIFIED_ALREADY)) {
        investor.stage = 'verified'
        return
      }
    }
    await client.post('/auth/resend-verification', { email: client.email })
  }
  if (world.now() - registeredAtMs > DAY_MS) investor.stage = 'new'
}

/** The end of the minute in which a registration was made, as its mail says. Epoch milliseconds. */
function registrationTimeIn(text: string): number {
  const [, time = ''] = /for the registration of (.+? UTC)\./.exec(text) ?? []
  return Date.parse(time) + MINUTE_MS
}

async function act(at: Operating, investor: Investor, chance: Chance): Promise<void> {
  const { temperament } = investor
  if (chance.is(temperament.cancels)) await cancelSomething(at, investor, chance)
  const { available } = at.model.purse(investor.client.email)
  if (available < 10_000 || chance.is(0.25)) return deposit(at, investor, chance)
  if (chance.is(0.4)) return allocate(at, investor, chance)
  if (chance.is(0.4)) return redeem(at, investor, chance)
  return withdraw(at, investor, chance)
}

async function deposit({ world, model }: Operating, { client, temperament }: Investor, chance: Chance) {
  const [network, coin] = chance.pick(NETWORKS)
  const { rows: wallets } = await client.get('/admin-wallets')
  const wallet = wallets.find((each) => each.network === network)
  if (wallet === undefined) return
  const cents = chance.pick([
    chance.whole(2000, 50_000),
    chance.whole(50_000, 400_000),
    chance.whole(500_000, 2_000_000),
  ])
  const isDouble = chance.is(temperament.doubleClicks)
  const firstKey = key(chance)
  // At times somebody sends a receipt again.
  const receipt = chanceOf('receipt', firstKey).is(0.1) ? client.email : firstKey
  const form = formWith({ type: coin, amount: usd(cents), paymentTo: wallet.address, network }, receipt)
  const reply = await perhapsTwice(
    { world, isDouble },
    (idempotencyKey) => client.send('POST', '/deposits', { form, key: idempotencyKey }),
    firstKey,
  )
  if (reply.status !== 201) return
  model.announced(reply.body._id, client.email, cents)
  if (chance.is(temperament.forgets)) return
  const price = priceOf(coin === 'bitcoin' ? 'bitcoin' : 'tether', world.now())
  // At times an exchange takes its fee from the payment.
  const share = chance.is(0.1) ? 0.95 : 1
  model.payments.set(reply.body._id, {
    network,
    reference: reference(chance),
    quantity: ((cents / 100 / price) * share).toFixed(coin === 'bitcoin' ? 8 : 6),
  })
}

/** Payouts to an investor that a restored backup does not have. */
function payoutsOf({ model }: Operating, { email }: Client): Payout[] {
  return [...model.unbooked].filter(({ investor }) => investor === email)
}

/**
 * After a restored backup: announces lost deposits again, and files lost withdrawals again that were paid. Until then nothing else
 * is done with the money.
 */
async function catchUp(at: Operating, investor: Investor, chance: Chance): Promise<void> {
  const { model } = at
  const { client, unannounced } = investor
  if (model.frozen.has(client.email)) return
  for (const lost of unannounced.splice(0))
    if (!(await announce(at, client, lost, chance))) unannounced.push(lost)
  for (const payout of payoutsOf(at, client)) {
    const { available } = model.purse(client.email)
    if (available < payout.cents && (await comesIn(at, investor))) {
      await redeemAll(at, investor, chance)
      return
    }
    // The investor may have lost money since, or has more left than the amount below the minimum that was once everything. Then
    // the company pays the difference.
    const left = Math.min(payout.cents, Math.max(0, available))
    const cents = left < LEAST_CENTS && left < available ? 0 : left
    const { status, body } =
      cents > 0 ? await fileWithdrawal(at, investor, cents, chance, false) : { status: 201, body: null }
    if (status !== 201) return
    model.unbooked.delete(payout)
    if (body !== null) model.paidBefore.set(body._id, payout.reference)
  }
}

/** Announces a deposit that was paid before. */
async function announce(
  { model }: Operating,
  client: Client,
  { payment, cents }: Investor['unannounced'][number],
  chance: Chance,
): Promise<boolean> {
  const { rows: wallets } = await client.get('/admin-wallets')
  const { network } = payment
  const wallet = wallets.find((each) => each.network === network)
  const type = network === 'btc' ? 'bitcoin' : 'usdt'
  const idempotencyKey = key(chance)
  const fields = { type, amount: usd(cents), paymentTo: wallet?.address ?? '', network }
  const { status, body } = await client.send('POST', '/deposits', {
    form: formWith(fields, idempotencyKey),
    key: idempotencyKey,
  })
  if (status !== 201) return false
  model.announced(body._id, client.email, cents)
  model.payments.set(body._id, payment)
  return true
}

/** Whether money is still on its way to an investor's available balance. */
async function comesIn({ model }: Operating, { client, unannounced }: Investor): Promise<boolean> {
  const { rows } = await client.get('/allocations')
  const { email } = client
  const waiting = model.waitingOf('deposits', email).open + model.purse(email).allocating.size
  return waiting + unannounced.length > 0 || rows.some(({ units, pendingOut }) => units + pendingOut > 0)
}

async function withdraw(at: Operating, investor: Investor, chance: Chance): Promise<void> {
  const { available } = at.model.purse(investor.client.email)
  if (available < 2000) return
  if (chance.is(0.25)) return withdrawToSaved(at, investor, chance)
  if (!chance.is(investor.temperament.twoTabs)) {
    await fileWithdrawal(at, investor, chance.whole(LEAST_CENTS, available), chance)
    // Some think again at once.
    if (chance.is(investor.temperament.cancels)) await cancelSomething(at, investor, chance)
    return
  }
  // Each tab asks for more than half: both together are never covered.
  const cents = chance.whole(Math.floor(available / 2) + 1, available)
  const keys = [key(chance), key(chance)]
  const { status } = await fileWithdrawal(at, investor, LEAST_CENTS, chance)
  if (status !== 201) return
  const left = at.model.purse(investor.client.email).available
  const settled = await at.world.together(
    keys.map((each) => () => investor.client.post('/withdrawals', form(investor, cents), each)),
  )
  const accepted = settled.flatMap((each) =>
    each.status === 'fulfilled' && each.value.status === 201 ? [each.value] : [],
  )
  for (const { body } of accepted)
    at.model.held(body._id, investor.client.email, cents, investor.client.token)
  for (const each of settled) if (each.status === 'rejected') throw each.reason
  if (accepted.length * cents > left)
    throw new Broken('nobodyBelowZero', `${accepted.length} withdrawals of ${cents} from ${left} cents`)
}

async function fileWithdrawal(
  at: Operating,
  investor: Investor,
  cents: number,
  chance: Chance,
  isByBank = chance.is(0.2),
): Promise<Reply> {
  const path = isByBank ? '/withdrawals/online-service' : '/withdrawals'
  const json = isByBank ? bankForm(investor, cents) : form(investor, cents)
  return (await fileAndConfirm(at, investor, { path, json, cents }, chance)).reply
}

/** Files a withdrawal and confirms it if it has to be, with the app or the mailed code. */
async function fileAndConfirm(
  at: Operating,
  investor: Investor,
  { path, json, cents }: { readonly path: string; readonly json: object; readonly cents: number },
  chance: Chance,
): Promise<{ reply: Reply; isByApp: boolean }> {
  const { client, temperament } = investor
  const idempotencyKey = key(chance)
  let isByApp = false
  let reply = await client.post(path, json, idempotencyKey)
  if (reply.body.code === 'step_up_required') {
    isByApp = client.secret !== null && chance.is(0.7)
    const code = isByApp
      ? client.code()
      : /\b\d{6}\b/.exec(client.mail(/^Confirm your withdrawal$/) ?? '')?.[0]
    if (code === undefined) return { reply, isByApp }
    if (
      !investor.isLeaving &&
      !isByApp &&
      !(await misuseCode(at, client, { path, json, cents, code }, chance))
    )
      return { reply, isByApp }
    reply = await perhapsTwice(
      { world: at.world, isDouble: chance.is(temperament.doubleClicks) },
      (each) => client.post(path, { ...json, code }, each),
      idempotencyKey,
    )
  }
  if (reply.status === 201) at.model.held(reply.body._id, client.email, cents, client.token)
  return { reply, isByApp }
}

const SAVINGS = 'Savings'
/** How long it takes at most from looking at a destination's delay to filing the withdrawal. */
const HOUR_MS = 3_600_000
const DAY_MS = 24 * HOUR_MS

/** Saves the address, with the mailed code. */
async function saveSavings(client: Investor['client'], destination: object): Promise<void> {
  const entry = { label: SAVINGS, ...destination }
  const asked = await client.post('/users/addresses', entry)
  if (asked.body.code !== 'step_up_required') return
  const code = /\b\d{6}\b/.exec(client.mail(/^Confirm a change of your address book$/) ?? '')?.[0]
  if (code !== undefined) await client.post('/users/addresses', { ...entry, code })
}

/**
 * Withdraws to the address saved under a name, or saves it first. The delay must match the one shown before. A thief may have saved another
 * address under that name. The screen must show that address as new.
 */
async function withdrawToSaved(at: Operating, investor: Investor, chance: Chance): Promise<void> {
  const { client, savings } = investor
  const { status, rows } = await client.get('/users/addresses?limit=50')
  const saved = rows.find(({ label }) => label === SAVINGS)
  if (status !== 200) return
  const destination = { type: 'bitcoin', network: 'btc', address: saved?.address ?? savings }
  if (saved === undefined) await saveSavings(client, destination)
  const { body: shown, ...asked } = await client.post('/users/destinations/wallet', destination)
  if (asked.status !== 200) return
  if (destination.address !== savings) {
    if (shown.isKnown)
      throw new Broken('savedAddressesAreNew', `${client.email}: an address that a thief saved is known`)
    await client.send('DELETE', `/users/addresses/${saved?._id}`)
    return
  }
  const { available } = at.model.purse(client.email)
  const cents = chance.whole(LEAST_CENTS, available)
  const json = { ...destination, amount: usd(cents) }
  const { reply, isByApp } = await fileAndConfirm(at, investor, { path: '/withdrawals', json, cents }, chance)
  if (reply.status !== 201 || isByApp) return
  // Without a delay to show, an app was expected to confirm a new destination.
  if (shown.heldUntil === null && !shown.isKnown && client.secret !== null) return
  const late = timeOf(reply.body.heldUntil) - timeOf(shown.heldUntil)
  if (late < 0 || late > (shown.isKnown ? 0 : HOUR_MS))
    throw new Broken(
      'delaysAreAsShown',
      `${client.email}: ${shown.heldUntil} was shown, and it waits until ${reply.body.heldUntil}`,
    )
}

function timeOf(iso: string | null | undefined): number {
  return iso === null || iso === undefined ? 0 : Date.parse(iso)
}

/** To a bank account of the investor's own. */
function bankForm({ address }: Investor, cents: number): object {
  return {
    amount: usd(cents),
    title: 'Ms',
    firstName: 'Sam',
    surname: 'Ample',
    occupation: 'Engineer',
    clientNumber: 'C-1001',
    investmentNumber: 'I-2002',
    productName: 'Savings',
    bankName: 'First Harbour Bank',
    branchName: 'Quayside',
    branchCode: '250655',
    accountNumber: address.slice(-12),
    accountType: 'savings',
    accountHolderName: 'Sam Ample',
    withdrawalReason: 'Rent',
  }
}

function form({ address }: Investor, cents: number): object {
  return { amount: usd(cents), type: 'bitcoin', network: 'btc', address }
}

async function allocate(at: Operating, { client, temperament }: Investor, chance: Chance) {
  const { world, model } = at
  const { available } = model.purse(client.email)
  const cents = chance.whole(1000, available)
  const strategy = chance.pick(STRATEGIES)
  const idempotencyKey = sharedKey(at, client, key(chance))
  const reply = await perhapsTwice(
    { world, isDouble: chance.is(temperament.doubleClicks) },
    (each) => client.post('/allocations', { strategy, amount: usd(cents) }, each),
    idempotencyKey,
  )
  if (reply.body.code === 'idempotency_key_reused')
    throw new Broken('keysBelongToOnePerson', `${client.email}: a key that somebody else used was refused`)
  if (reply.status !== 201) return
  model.allocated(reply.body._id, client.email, cents)
  if (chance.is(0.2))
    await reuseKey(client, '/allocations', { strategy, amount: usd(cents + 1) }, idempotencyKey)
}

async function redeem(_at: Operating, { client }: Investor, chance: Chance): Promise<void> {
  const { rows } = await client.get('/allocations')
  const position = rows.find(({ units }) => units > 0)
  if (position === undefined) return
  const amount = chance.is(0.3) ? 'all' : usd(chance.whole(1, Math.max(1, Math.floor(position.value * 100))))
  await client.post(`/allocations/${position._id}/redeem`, { amount }, key(chance))
}

async function redeemAll({ model }: Operating, { client }: Investor, chance: Chance): Promise<void> {
  const { rows: orders } = await client.get('/allocations/orders?status=pending')
  for (const order of orders) {
    if (order.kind !== 'allocate') continue
    const reply = await client.post(`/allocations/${order._id}/cancel`, undefined, key(chance))
    if (reply.status === 200) model.ended(order._id, client.email, { givenBack: cents(order.amount) })
  }
  const { rows } = await client.get('/allocations')
  for (const position of rows) {
    if (position.units > 0 && position.pendingOut === 0)
      await client.post(`/allocations/${position._id}/redeem`, { amount: 'all' }, key(chance))
  }
}

async function withdrawAll(at: Operating, investor: Investor, chance: Chance): Promise<void> {
  await bookOrders(at, investor)
  const { available } = at.model.purse(investor.client.email)
  if (available > 0) await fileWithdrawal(at, investor, available, chance)
}

/** Cancels a pending withdrawal, or a deposit that was not paid. */
async function cancelSomething({ model }: Operating, { client }: Investor, chance: Chance): Promise<void> {
  const { rows } = await client.get('/transaction-history?status=pending')
  const [first, ...others] = rows.filter(
    ({ _id }) => model.withdrawals.has(_id) || (model.deposits.has(_id) && !model.payments.has(_id)),
  )
  if (first === undefined) return
  const { _id } = chance.pick([first, ...others])
  const isDeposit = model.deposits.has(_id)
  const path = isDeposit ? `/deposits/${_id}/cancel` : `/withdrawals/${_id}/cancel`
  const reply = await client.post(path, undefined, key(chance))
  if (reply.status !== 200) return
  if (isDeposit) model.closed(_id, 'cancelled')
  else model.released(_id, 'cancelled')
}

/** Books the orders that ended since the last visit. */
async function bookOrders({ model }: Operating, { client }: Investor): Promise<void> {
  let path: string | null = '/allocations/orders?limit=100'
  while (path !== null) {
    const { rows: orders, next }: Reply = await client.get(path)
    for (const order of orders) {
      if (order.status === 'cancelled')
        model.ended(order._id, client.email, {
          givenBack: order.kind === 'allocate' ? cents(order.amount) : 0,
        })
      if (order.status === 'settled')
        model.ended(order._id, client.email, {
          proceeds:
            order.kind === 'redeem' ? cents(order.settled?.amount) - cents(order.settled?.forfeited) : 0,
        })
    }
    // Newest first: behind a page that is known whole, everything is.
    path = orders.every(({ _id, status }) => status !== 'pending' && model.known.has(_id))
      ? null
      : (next ?? null)
    for (const { _id, status } of orders) if (status !== 'pending') model.known.add(_id)
  }
}

/** Books the bonuses that were granted since the last visit. Returns the own referral ID. */
async function bookBonuses({ model }: Operating, { client }: Investor): Promise<string | null> {
  const { status, body } = await client.get('/users/referral-terms')
  if (status !== 200) return null
  model.earned(client.email, cents(body.earned))
  return new URL(body.referralLink).searchParams.get('ref')
}

/** Finds the own referral link, and at times tries to be invited by it. */
async function seeReferrals(at: Operating, investor: Investor, chance: Chance): Promise<void> {
  const { client } = investor
  const code = await bookBonuses(at, investor)
  if (code === null) return
  at.model.codes.set(client.email, code)
  if (chance.is(0.1))
    await client.send('PATCH', '/users/user-info', { json: { address: 'Hafenweg 3', referralID: code } })
}

/** What the screens say must be what the model says. */
async function compareScreens(at: Operating, investor: Investor, all: boolean): Promise<void> {
  await bookOrders(at, investor)
  await bookBonuses(at, investor)
  at.watch.checked(await (all ? compareAll : compareOverview)(at, investor.client))
  await pry(at, investor.client)
}

/** Sends a request once, or at the same moment twice with one key: both must be answered alike. */
async function perhapsTwice(
  { world, isDouble }: { world: Operating['world']; isDouble: boolean },
  send: (key: string) => Promise<Reply>,
  idempotencyKey: string,
): Promise<Reply> {
  if (!isDouble) return send(idempotencyKey)
  const settled = await world.together([() => send(idempotencyKey), () => send(idempotencyKey)])
  const replies: Reply[] = []
  for (const each of settled) {
    if (each.status === 'rejected') throw each.reason
    replies.push(each.value)
  }
  const ids = new Set(
    replies.flatMap(({ body, status }) => (status < 300 && status > 0 ? [body._id as string] : [])),
  )
  if (ids.size > 1) throw new Broken('noRequestTwice', `One key made ${[...ids].join(' and ')}`)
  return replies.find(({ status }) => status > 0 && status < 300) ?? (replies[0] as Reply)
}

function key(chance: Chance): string {
  return `key-${reference(chance).slice(0, 32)}`
}

function usd(value: number): string {
  return (value / 100).toFixed(2)
}

function cents(value: number | undefined): number {
  return Math.round(Number(value) * 100)
}
