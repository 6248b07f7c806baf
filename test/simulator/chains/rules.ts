import { encodeAddress } from '../../../src/chain/bitcoin/addresses.ts'
import { parseTransaction } from '../../../src/chain/bitcoin/transaction.ts'
import { parseHex, toHex } from '../../../src/chain/ethereum/hex.ts'
import { decodeFields } from '../../../src/chain/ethereum/transaction.ts'
import {
  CHAIN_NETWORKS,
  LEAST_PAYMENT_CENTS,
  type ProvedNetwork,
} from '../../../src/contract/money/payments.ts'
import { formatPlainDecimal, withSpread } from '../../../worker/lib/market/rates.ts'
import { FORWARDER, USDT } from './ethereum.ts'
import { fileWithdrawal, type Payees, type Withdrawal } from './payees.ts'
import type { Announced, Payers } from './payers.ts'
import { COINS, INVESTORS, type Platform, type Sent } from './platform.ts'
import { holdings, ownScripts, paidTo, type TruePayment } from './truth.ts'

/** A row of `payments`, with what became of its deposit. */
export interface PaymentRow {
  readonly id: string
  readonly network: ProvedNetwork
  readonly reference: string
  readonly address: string
  readonly investor: string
  readonly quantity: string
  readonly units: string
  readonly state: string
  readonly seenAt: number
  readonly finalAt: number | null
  readonly rate: string | null
  readonly amount: number | null
  readonly rule: string | null
  /** The announced deposit whose quote it took when it was first seen. */
  readonly quote: string | null
  readonly quoteEnded: 0 | 1
  readonly request: string | null
  readonly status: string | null
  readonly credits: number
  readonly credited: number
  readonly hasReversal: 0 | 1
}

/** What the rules look at after each tick. */
export interface Moment {
  readonly platform: Platform
  readonly payers: Payers
  readonly payees: Payees
  readonly tick: number
  /** The tick in which failures stopped; null while they go on. */
  readonly calmSince: number | null
  readonly isLast: boolean
  readonly payments: readonly PaymentRow[]
  readonly truth: ReadonlyMap<string, TruePayment>
  /** What was credited at the last check, by reference. */
  readonly creditedBefore: ReadonlySet<string>
  /** Since which tick each payment is final. */
  readonly finalSince: ReadonlyMap<string, number>
  readonly withdrawals: readonly WithdrawalRow[]
  /** Withdrawals that were completed at the last check. */
  readonly completedBefore: ReadonlySet<string>
  /** Since which tick each withdrawal's payment is final. */
  readonly paidSince: ReadonlyMap<string, number>
  /** Transactions of the platform that servers took since the last check. */
  readonly sent: Platform['sent']
  /** Calls to servers of the chains in this tick; null if two Workers ran. */
  readonly calls: number | null
}

export interface WithdrawalRow {
  readonly id: string
  readonly status: string
  readonly completions: number
  readonly payouts: number
  readonly problem: string | null
}

/** A promise about the chains. Returns what breaks it, or null. */
export type ChainRule = (at: Moment) => string | null | Promise<string | null>

/** Ticks in which everything must be done once failures stop. */
const TICKS = 2
const CALLS_A_MINUTE = 40

export const CHAIN_RULES: Readonly<Record<string, ChainRule>> = {
  /** No credit for what the honest chain does not hold at the required depth, for its investor and in its quantity. */
  creditsAreOnTheChain: ({ payments, truth, creditedBefore }) =>
    firstOf(payments, (payment) => {
      if (!isCredited(payment) || creditedBefore.has(keyOf(payment))) return null
      const real = truth.get(keyOf(payment))
      if (real === undefined) return `${nameOf(payment)} was credited and is not on the chain`
      if (!real.isFinal) return `${nameOf(payment)} was credited before it was final`
      if (real.to.investor !== payment.investor)
        return `${nameOf(payment)} is of ${real.to.investor} and was credited to ${payment.investor}`
      return real.quantity.toString() === payment.quantity
        ? null
        : `${nameOf(payment)} has ${real.quantity} and was credited as ${payment.quantity}`
    }),

  /** Each final payment to an investor's own address is credited or queued within two ticks. */
  finalPaymentsAreCredited: ({ payments, truth, finalSince, calmSince, tick }) => {
    if (calmSince === null) return null
    const known = new Map(payments.map((payment) => [keyOf(payment), payment]))
    return firstOf([...truth], ([key, real]) => {
      const since = finalSince.get(key)
      if (since === undefined || tick - Math.max(since, calmSince) < TICKS) return null
      const payment = known.get(key)
      if (payment === undefined) return `${key} of ${real.to.investor} is final and was never seen`
      return isSettled(payment) ? null : `${key} of ${real.to.investor} is final and still ${payment.state}`
    })
  },

  /**
   * The credited amount is the quantity of the chain at the quote that was filed before the payment was seen, or else at a believed
   * price. Once the quote has ended, it is at the lower of both.
   */
  creditsFollowTheValueRule: ({ payments, platform, payers }) =>
    firstOf(payments, (payment) => {
      const { network, rate, amount, rule, quantity, units, finalAt } = payment
      if (rate === null || amount === null || finalAt === null) return null
      const surplus = CHAIN_NETWORKS[network].decimals - DECIMALS[network]
      if (BigInt(quantity) / 10n ** BigInt(surplus) !== BigInt(units))
        return `${nameOf(payment)} has ${units} units`
      const cents = centsOf(BigInt(units), DECIMALS[network], rate)
      if (cents !== BigInt(amount)) return `${nameOf(payment)} is worth ${cents} and counts ${amount}`
      if (amount < LEAST_PAYMENT_CENTS) return `${nameOf(payment)} is dust and counts ${amount}`
      const quote = quoteOf(payment, payments, payers)
      if (typeof quote === 'string') return quote
      if (rule === 'quote')
        return quote?.rate === rate ? null : `${nameOf(payment)} has another quote than ${quote?.rate}`
      if (quote !== null && (payment.quoteEnded === 0 || Number(rate) >= Number(quote.rate)))
        return `${nameOf(payment)} counts at ${rate}, and its quote was ${quote.rate}`
      const isBelieved = platform.prices.some((each) => {
        if (each.network !== network || each.atMs <= finalAt - BELIEVED_MS) return false
        // A list is as old as the tick that asked for it, which may have waited for other servers.
        const rateAt = (ageMs: number) =>
          Number(withSpread(formatPlainDecimal(each.price), COINS[network], finalAt - each.atMs + ageMs))
        return Number(rate) <= rateAt(-60_000) && Number(rate) >= rateAt(60_000)
      })
      return isBelieved ? null : `${nameOf(payment)} counts at ${rate}, which no provider said`
    }),

  /** Each payment has a quote of its own. */
  quotesAreOfOnePayment: ({ payments }) => {
    const taken = new Set<string>()
    return firstOf(payments, (payment) => {
      if (payment.quote === null) return null
      if (taken.has(payment.quote)) return `${nameOf(payment)} has the quote of another payment`
      taken.add(payment.quote)
      return null
    })
  },

  /** No payment is credited twice, and what is credited is its amount. */
  nothingIsCreditedTwice: async ({ payments, platform, isLast }) => {
    const found = firstOf(payments, (payment) => {
      if (payment.credits > 1) return `${nameOf(payment)} was credited ${payment.credits} times`
      return payment.credits === 1 && payment.credited !== payment.amount
        ? `${nameOf(payment)} counts ${payment.amount} and ${payment.credited} was credited`
        : null
    })
    if (found !== null || !isLast) return found
    const [row] = await platform.rows<{ credits: number }>(
      "SELECT count(*) AS credits FROM transfers WHERE code = 'credit'",
    )
    const expected = payments.filter(({ credits }) => credits === 1).length
    return row?.credits === expected ? null : `${row?.credits} credits are for ${expected} payments`
  },

  /** A payment takes the oldest deposit that was announced to its address. */
  announcedDepositsAreTaken: async ({ isLast, payments, payers, platform }) => {
    if (!isLast) return null
    const pending = await platform.rows<{ id: string }>(
      "SELECT id FROM requests WHERE queue = 'deposits' AND status = 'pending' AND id NOT IN (SELECT request FROM payments WHERE request IS NOT NULL)",
    )
    return firstOf(pending, ({ id }) => {
      const filed = payers.announced.get(id)
      if (filed === undefined) return `The deposit ${id} has no payment and nobody announced it`
      // The payment that took its quote is gone, as when it was replaced.
      if (payments.some(({ quote }) => quote === id)) return null
      const other = payments.find(
        ({ address, network, request, credits, finalAt }) =>
          address === filed.address &&
          network === filed.network &&
          credits === 1 &&
          request !== null &&
          !payers.announced.has(request) &&
          (finalAt ?? 0) > filed.filedMs + 60_000,
      )
      return other === undefined ? null : `${nameOf(other)} was credited beside the announced deposit ${id}`
    })
  },

  /** A payment that vanished after its credit freezes its amount, raises the alarm, and its reversal is prepared. */
  vanishedCreditsAreFrozen: async ({ payments, truth, calmSince, tick, platform }) => {
    if (calmSince === null || tick - calmSince < TICKS) return null
    for (const payment of payments) {
      if (payment.credits === 0) continue
      const isThere = truth.has(keyOf(payment))
      if (!isThere && payment.state === 'credited') return `${nameOf(payment)} is gone and still credited`
      if (payment.state !== 'undone') continue
      if (payment.hasReversal === 0) return `${nameOf(payment)} is gone and its reversal is not prepared`
      const alarm = platform.world.logs.some((line) => line.includes(payment.id) && line.includes('is gone'))
      if (!alarm) return `${nameOf(payment)} is gone without an alarm`
      const problem = await spends(platform, payment)
      if (problem !== null) return problem
    }
    return null
  },

  /** Everything that a server was sent pays what was approved, from the wallet, with the change to the wallet. */
  nothingTamperedIsSent: async ({ platform, payees, sent }) => {
    if (payees.taken !== null) return payees.taken
    for (const each of sent) {
      const problem =
        each.chain === 'bitcoin'
          ? bitcoinProblem(platform, payees, each)
          : ethereumProblem(platform, payees, each.raw)
      if (problem !== null) return problem
    }
    return null
  },

  /** A withdrawal is completed when the chain confirms its payment, and not before. It is paid and completed once. */
  payoutsFollowTheChain: ({ platform, payees, withdrawals, completedBefore, paidSince, calmSince, tick }) => {
    const open = withdrawals.filter(({ status }) => status !== 'completed').length
    return firstOf(withdrawals, ({ id, status, completions, payouts, problem }) => {
      const withdrawal = payees.withdrawals.find((each) => each.id === id)
      if (withdrawal === undefined) return `${id} was never filed`
      if (completions > 1 || payouts > 1) return `${id} was completed ${Math.max(completions, payouts)} times`
      const paid = paidTo(platform, withdrawal.network, withdrawal.address)
      if (paid.length > 1) return `${id} was paid ${paid.length} times`
      if (status === 'completed' && !completedBefore.has(id) && paid[0]?.isFinal !== true)
        return `${id} was completed, and the chain has not confirmed its payment`
      const since = paidSince.get(id)
      if (status === 'completed' || calmSince === null || since === undefined || problem === 'gone')
        return null
      // The chains take turns, and each payout takes some of the calls of a tick.
      return tick - Math.max(since, calmSince) > TICKS * (open + 1)
        ? `${id} is paid, and not completed`
        : null
    })
  },

  /** The books of an asset are what the keys can spend, less what is queued. */
  custodyIsOnTheChain: async ({ platform, payments, truth, isLast }) => {
    if (!isLast) return null
    const problems = await platform.rows<{ problem: string }>(
      "SELECT problem FROM payouts WHERE problem = 'gone'",
    )
    // What a reorganisation took after its confirmation only a person can book.
    if (problems.length > 0) return null
    const held = holdings(platform)
    for (const asset of ['bitcoin', 'ethereum', 'usdt'] as const) {
      const [books] = await platform.rows<{ units: string }>(
        'SELECT CAST(coalesce(sum(quantity), 0) AS TEXT) AS units FROM custody_entries WHERE asset = ?',
        asset,
      )
      const own = payments.filter(({ network }) => COINS[network] === asset)
      const sum = (rows: readonly PaymentRow[]) =>
        rows.reduce((total, { units }) => total + BigInt(units), 0n)
      const unbooked = sum(own.filter((each) => truth.has(keyOf(each)) && each.credits === 0))
      const vanished = sum(own.filter((each) => !truth.has(keyOf(each)) && each.credits === 1))
      const internal = asset === 'ethereum' ? internalWei(platform) / 10n ** 9n : 0n
      const expected = BigInt(books?.units ?? '0') + unbooked - vanished + internal
      const difference = held[asset] - expected
      // Below a gwei for each payment and each fee, which are rounded down and up.
      const rounding = asset === 'ethereum' ? BigInt(own.length + 20) : 0n
      if (difference < 0n || difference > rounding)
        return `${asset}: the keys hold ${held[asset]} and the books explain ${expected}`
    }
    return null
  },

  /** At most 40 calls to other servers a minute. */
  callsAreFew: ({ calls }) =>
    calls !== null && calls > CALLS_A_MINUTE ? `${calls} calls in one minute` : null,
}

const DECIMALS: Readonly<Record<ProvedNetwork, number>> = { btc: 8, eth: 9, 'usdt-erc20': 6, 'usdc-erc20': 6 }
/** A price is believed for an hour. Lists are asked for every few minutes. */
const BELIEVED_MS = 75 * 60_000

/** Ether that contracts sent to own addresses. No block shows it. */
function internalWei({ ethereum, given }: Platform): bigint {
  const own = new Set(given.map(({ address }) => address.toLowerCase()))
  return ethereum.view.blocks
    .flatMap(({ transactions, moves }) =>
      moves.filter((_, i) => transactions[i]?.json.to === FORWARDER).flat(),
    )
    .filter(({ address }) => own.has(address))
    .reduce((sum, { amount }) => sum + amount, 0n)
}

export function keyOf({ network, reference }: Pick<PaymentRow, 'network' | 'reference'>): string {
  return `${network} ${reference}`
}

function nameOf({ network, reference, investor }: PaymentRow): string {
  return `The payment ${network} ${reference} of ${investor}`
}

function isCredited({ state, credits }: PaymentRow): boolean {
  return state === 'credited' || (state === 'final' && credits > 0)
}

/** The quote of a payment, null without one, or what is wrong with it. */
function quoteOf(
  payment: PaymentRow,
  payments: readonly PaymentRow[],
  { announced }: Payers,
): Announced['quote'] | string {
  const { quote: id, quantity, seenAt, request } = payment
  const filed = announced.get(id ?? request ?? '')
  const quote = filed?.quote ?? null
  const fits =
    quote !== null &&
    (filed?.filedMs ?? 0) < seenAt &&
    seenAt < quote.untilMs &&
    isWithin(BigInt(quantity), quote.quantity)
  // A quote that another payment took stays with that one, also once it is gone.
  const isTaken = payments.some((other) => other.quote === request)
  if (id === null)
    return fits && !isTaken ? `${nameOf(payment)} has no quote, and its deposit has one that fits` : null
  return fits ? quote : `${nameOf(payment)} has a quote that does not fit`
}

/** Credited, or waiting for a person. */
function isSettled({ state, request, status }: PaymentRow): boolean {
  return (
    state === 'credited' ||
    state === 'queued' ||
    (state === 'final' && request !== null && status === 'pending')
  )
}

function isWithin(quantity: bigint, quoted: bigint): boolean {
  const difference = quantity > quoted ? quantity - quoted : quoted - quantity
  return difference * 100n <= quoted
}

function centsOf(units: bigint, decimals: number, rate: string): bigint {
  const [whole = '0', fraction = ''] = rate.split('.')
  return (units * BigInt(whole + fraction) * 100n) / 10n ** BigInt(decimals + fraction.length)
}

function firstOf<T>(all: readonly T[], problem: (each: T) => string | null): string | null {
  for (const each of all) {
    const found = problem(each)
    if (found !== null) return found
  }
  return null
}

/** Whether money of a vanished payment can be held for a withdrawal. */
async function spends(platform: Platform, { id, investor }: PaymentRow): Promise<string | null> {
  const owner = INVESTORS.find((each) => each === investor)
  const [row] = await platform.rows<{ balance: number }>(
    'SELECT balance FROM accounts WHERE id = ?',
    `${investor}:available`,
  )
  const cents = row?.balance ?? 0
  if (cents <= 0 || owner === undefined) return null
  const refused = await fileWithdrawal(platform, {
    id: `trial-${id}`,
    investor: owner,
    network: 'btc',
    address: 'trial',
    cents,
  })
  return refused === 'payment_undone'
    ? null
    : `The amount of ${id} can be withdrawn although its payment is gone: ${refused}`
}

/** What is wrong with a Bitcoin transaction of the platform. */
function bitcoinProblem(platform: Platform, { withdrawals }: Payees, { raw, spends }: Sent): string | null {
  const { txid, inputs, outputs } = parseTransaction(raw)
  const own = ownScripts(platform.wallet)
  if (spends.length < inputs.length || spends.some(({ script }) => !own.has(script)))
    return `${txid} spends a coin that is not the wallet's`
  let given = spends.reduce((sum, { value }) => sum + value, 0n)
  let paid = 0n
  let changes = 0
  for (const { script, value } of outputs) {
    given -= value
    if (own.get(script) === 'change') changes += 1
    else {
      const address = encodeAddress(script, 'regtest')
      const withdrawal = withdrawals.find((each) => each.network === 'btc' && each.address === address)
      if (withdrawal === undefined) return `${txid} pays ${address}, which nobody withdraws to`
      if (!isWorth(platform, withdrawal, value)) return `${txid} pays ${value} for ${withdrawal.cents} cents`
      paid += value
    }
  }
  if (changes > 1) return `${txid} has ${changes} changes`
  const most = paid / 10n > 50_000n ? paid / 10n : 50_000n
  return given > most ? `${txid} has a fee of ${given}` : null
}

/** What is wrong with an Ethereum transaction of the platform. */
function ethereumProblem(platform: Platform, { withdrawals }: Payees, raw: string): string | null {
  const { fields } = decodeFields(parseHex(raw, 'transaction'))
  const text = (at: number) => toHex(fields[at] instanceof Uint8Array ? fields[at] : new Uint8Array())
  const [to, value, input] = [text(5), BigInt(text(6) === '0x' ? 0 : text(6)), text(7)]
  const isToken = to === USDT
  const address = isToken ? `0x${input.slice(34, 74)}` : to
  const quantity = isToken ? BigInt(`0x${input.slice(74)}`) : value
  const network = isToken ? 'usdt-erc20' : 'eth'
  const withdrawal = withdrawals.find(
    (each) => each.network === network && each.address.toLowerCase() === address,
  )
  if (withdrawal === undefined) return `A transaction pays ${address}, which nobody withdraws to`
  return isWorth(platform, withdrawal, quantity)
    ? null
    : `A transaction pays ${quantity} for ${withdrawal.cents} cents`
}

/** Whether a quantity is what the amount bought at a price of the last day. */
function isWorth({ prices }: Platform, { network, cents }: Withdrawal, quantity: bigint): boolean {
  const unit = 10 ** CHAIN_NETWORKS[network].decimals
  const step = 10 ** (CHAIN_NETWORKS[network].decimals - DECIMALS[network])
  return prices.some(
    (each) =>
      each.network === network &&
      Math.abs((cents / 100 / each.price) * unit - Number(quantity)) <= 2 * step + Number(quantity) * 1e-12,
  )
}

/** Reads what the rules look at. */
export async function readPayments({ rows }: Platform): Promise<PaymentRow[]> {
  return rows<PaymentRow>(`
    SELECT p.id, p.network, p.reference, p.address, p.investor, p.quantity, CAST(p.units AS TEXT) AS units, p.state, p.seen_at AS seenAt,
           p.final_at AS finalAt, p.rate, p.amount, p.rule, p.quote, p.quote_ended AS quoteEnded, p.request, r.status,
           (SELECT count(*) FROM transfers t WHERE t.ref = p.request AND t.code = 'credit') AS credits,
           (SELECT coalesce(sum(t.amount), 0) FROM transfers t WHERE t.ref = p.request AND t.code = 'credit') AS credited,
           EXISTS (SELECT 1 FROM proposals o WHERE o.request = p.request AND o.kind = 'reversal') AS hasReversal
    FROM payments p LEFT JOIN requests r ON r.id = p.request ORDER BY p.seq`)
}

export async function readWithdrawals({ rows }: Platform): Promise<WithdrawalRow[]> {
  return rows<WithdrawalRow>(`
    SELECT r.id, r.status, (SELECT count(*) FROM request_events e WHERE e.request = r.id AND e.status = 'completed') AS completions,
           (SELECT count(*) FROM transfers t WHERE t.ref = r.id AND t.code = 'complete') AS payouts,
           (SELECT p.problem FROM payout_items i JOIN payouts p ON p.id = i.payout AND p.state NOT IN ('cancelled', 'failed')
            WHERE i.request = r.id) AS problem
    FROM requests r WHERE r.queue = 'withdrawals' ORDER BY r.seq`)
}
