import { and, eq, isNull, lt, sql } from 'drizzle-orm'
import { alias } from 'drizzle-orm/sqlite-core'
import { mailDateText } from '../../../src/contract/dates.ts'
import { COIN_SYMBOLS, type Coin, getCoinOfNetwork, type Network } from '../../../src/contract/money/coins.ts'
import {
  type AnnouncedDeposit,
  type requestDeposit as endpoint,
  RECEIPT_MISSING,
} from '../../../src/contract/money/deposits.ts'
import { type ProvedNetwork, QUOTE_MINUTES } from '../../../src/contract/money/payments.ts'
import { parseReference } from '../../../src/contract/money/references.ts'
import { formatCents } from '../../../src/contract/money.ts'
import { listProvedNetworks, readWatchWallets } from '../../chains/addresses/addresses.ts'
import { type ActorCall, type Answer, type CallOf, created } from '../../http/call.ts'
import { refuseFields } from '../../http/fields.ts'
import { withStoredFile } from '../../http/files.ts'
import { toIso } from '../../http/paging.ts'
import { parseSample } from '../../http/samples.ts'
import { requireInvestor } from '../../http/scopes.ts'
import { computeQuotedQuantity, parseUnits } from '../../ledger/custody.ts'
import { toIntegerSql } from '../../ledger/requestEvents.ts'
import { generateToken, newId, newRef, sha256Hex } from '../../lib/crypto/tokens.ts'
import { readTogether, type Statement, selectRows } from '../../lib/database.ts'
import { buildLink, composeNews } from '../../lib/mail/compose.ts'
import type { Mail } from '../../lib/mail/outbox.ts'
import { type CreditPrice, creditPriceIn, readExchangePrices, readRates } from '../../lib/market/rates.ts'
import { depositAddresses, depositQuotes, watchWallets } from '../../lib/tables/payments.ts'
import { depositDetails, requests, wallets } from '../../lib/tables/requests.ts'
import { assertMayOpen, countOpen, findMinimumProblem, readMinimums } from '../requests/limits.ts'
import { isOffered } from '../wallets/wallets.ts'

/** The result for a missing transaction id. */
const NO_REFERENCE = { reference: null, problem: null }

const NO_WALLET = 'Please pay to one of the wallets shown for this coin'
/** A quote is filed before its payment is seen, so an address that was paid has no further ones. */
const ADDRESS_PAID =
  'We have seen a payment to this address. It is credited without a request. For another payment, please use your new address'

const NO_PRACTICE_WALLET = 'A sample receipt is for practice wallets only'

type DepositCall = CallOf<typeof endpoint>

/** Loads the facts that a deposit depends on, before its receipt is read. */
export async function loadDepositing(call: ActorCall) {
  await requireInvestor(call)
  const { db, env, actor } = call
  const [offered, own, watched, minimums, open, market, exchange] = await readTogether(
    db,
    readOfferedWallets(),
    readOwnAddresses(actor.id),
    readWatchWallets(),
    readMinimums(),
    countOpen(actor.id, 'deposits'),
    readRates(db),
    readExchangePrices(env),
  )
  return { offered, own, watched, minimums, open, market, exchange, atMs: call.nowMs }
}

/** Whoever sends a receipt slowly must not choose among the prices of that time. */
const PRICE_MS = 60_000

/**
 * Files a deposit: the amount that the investor reports as paid, and where. To a receiving wallet it needs a receipt, and is credited
 * only after an operator saw it arrive. To an own address the chain proves the payment, so the receipt is optional, and the amount is
 * quoted. Refuses a wallet that is not active for the coin, an own address that was paid before, an amount below the minimum, a
 * transaction id of another network, and a 21st open deposit.
 */
export async function requestDeposit(
  call: DepositCall,
  {
    offered,
    own,
    watched,
    minimums,
    open,
    market,
    exchange,
    atMs,
  }: Awaited<ReturnType<typeof loadDepositing>>,
): Promise<Answer<AnnouncedDeposit>> {
  const { db, env, nowMs, actor, body, pictures } = call
  const sample = parseSample(call)
  const proved = listProvedNetworks(env, watched)
  const isProved = (network: Network) => proved.some((provedNetwork) => provedNetwork === network)
  // One address may serve several networks. Without a network, the oldest wallet counts.
  const isPaidTo = (to: PaidTo) =>
    to.coin === body.type && to.address === body.paymentTo && ['', to.network].includes(body.network ?? '')
  const address = own.find((to) => isPaidTo(to) && isProved(to.network))
  const wallet = address ?? offered.find((to) => isPaidTo(to) && !isProved(to.network))
  const receipt = pictures.image
  const tooSmall = findMinimumProblem(minimums, 'deposit', body.amount)
  const paid =
    body.txid === undefined || wallet === undefined ? NO_REFERENCE : parseReference(wallet.network, body.txid)
  const lacksReceipt = address === undefined && receipt === undefined
  const isReal =
    sample && (address !== undefined || offered.some((to) => isPaidTo(to) && to.isSimulated === 0))
  const wrongAddress =
    wallet === undefined ? NO_WALLET : address !== undefined && address.isPaid === 1 ? ADDRESS_PAID : null
  if (
    tooSmall !== null ||
    wallet === undefined ||
    wrongAddress !== null ||
    paid.problem !== null ||
    lacksReceipt ||
    isReal
  ) {
    refuseFields({
      ...(tooSmall !== null && { amount: tooSmall }),
      ...(wrongAddress !== null && { paymentTo: wrongAddress }),
      ...(paid.problem !== null && { txid: paid.problem }),
      ...(lacksReceipt && { image: RECEIPT_MISSING }),
      ...(isReal && { sample: NO_PRACTICE_WALLET }),
    })
  }
  assertMayOpen(open)

  const id = newId()
  const ref = newRef('DEP')
  const [prices, traded] =
    nowMs - atMs > PRICE_MS
      ? await readTogether(db, readRates(db), readExchangePrices(env))
      : [market, exchange]
  const price = creditPriceIn(prices, traded, body.type, call)
  const quote = address && quoteDeposit(body.type, body.amount, price, nowMs)
  const receiptKey = receipt === undefined ? '' : `receipts/${generateToken()}`
  const answer = created({
    msg: address
      ? `Deposit ${ref} is announced. It awaits your payment, and is credited once the payment is confirmed.`
      : `Deposit request ${ref} was sent and awaits approval.`,
    ref,
    _id: id,
    ...(quote && { quote: { quantity: quote.quantity, rate: quote.rate, until: toIso(quote.until) } }),
  })
  const statements: Statement[] = [
    db.insert(requests).values({
      id,
      ref,
      investor: actor.id,
      kind: 'deposit',
      queue: 'deposits',
      amount: body.amount,
      asked: body.amount,
      createdAt: nowMs,
    }),
    db.insert(depositDetails).values({
      request: id,
      coin: body.type,
      network: wallet.network,
      paymentTo: wallet.address,
      txid: paid.reference,
      receiptKey,
      receiptType: receipt?.type ?? '',
      receiptHash: receipt === undefined ? null : await sha256Hex(receipt.bytes),
      askedRate: address ? null : (price?.rate ?? null),
      sample: sample ? 1 : 0,
    }),
  ]
  if (address && quote) {
    const { network, address: own } = address
    const { rate, until } = quote
    const units = toIntegerSql(quote.units)
    statements.push(
      db.insert(depositQuotes).values({ request: id, address: own, network, units, rate, until }),
      // The chain is asked about this address each minute, so a payment cannot wait unseen while its quote is chosen.
      db
        .update(depositAddresses)
        .set({ shownAt: nowMs })
        .where(and(eq(depositAddresses.address, own), lt(depositAddresses.shownAt, nowMs))),
    )
  }
  const submitDeposit = () =>
    call.commit({
      statements,
      audit: [
        {
          action: 'deposit.requested',
          subject: id,
          detail: {
            amountCents: body.amount,
            coin: body.type,
            network: wallet.network,
            ...(sample && { sample }),
          },
        },
      ],
      mails: quote
        ? [buildAnnouncedMail(call, ref, { ...quote, amountCents: body.amount, network: wallet.network })]
        : [],
      answer,
    })
  if (receipt === undefined) await submitDeposit()
  else await withStoredFile(call, receiptKey, receipt.bytes, receipt.type, submitDeposit)
  return answer
}

/** How much of the coin to pay for the amount now. Null without a believed price, or for less than its smallest unit. */
function quoteDeposit(coin: Coin, amountCents: number, price: CreditPrice | null, nowMs: number) {
  if (price === null) return null
  const { rate } = price
  const quantity = computeQuotedQuantity(coin, amountCents, rate)
  const units = parseUnits(coin, quantity)
  return units === null ? null : { quantity, units, rate, until: nowMs + QUOTE_MINUTES * 60_000 }
}

interface AnnouncedPayment {
  readonly amountCents: number
  readonly network: Network
  /** The coin to pay, as a decimal. */
  readonly quantity: string
  /** USD for one coin, as a decimal. */
  readonly rate: string
  readonly until: number
}

/** What to pay, at which price and until when. The address is on the page only: a mail could be forged. */
function buildAnnouncedMail({ env, actor }: ActorCall, ref: string, announced: AnnouncedPayment): Mail {
  const { amountCents, network, quantity, rate, until } = announced
  const coin = COIN_SYMBOLS[getCoinOfNetwork(network)]
  return composeNews(actor.email, `Your deposit ${ref} awaits your payment`, actor.displayName, [
    `You announced a deposit of ${formatCents(amountCents)}. Pay ${quantity} ${coin} before ${mailDateText(until)}, and the price stays $${rate} for 1 ${coin}.`,
    'Your own address is in your account. We never send an address by mail:',
    { label: 'Your deposit', href: buildLink(env, '/dashboard/transaction-history', { open: ref }) },
    'You do not have to pay. Without a payment, nothing happens.',
  ])
}

interface PaidTo {
  readonly coin: Coin
  readonly network: Network
  readonly address: string
}

/** The receiving wallets, oldest first. */
function readOfferedWallets() {
  const { coin, network, address, simulated, seq } = wallets
  return selectRows({ coin, network, address, isSimulated: sql<0 | 1>`${simulated}` })
    .from(wallets)
    .where(isOffered())
    .orderBy(seq)
}

/** The investor's newest own addresses, for each coin and network on which they receive, and whether they were paid. */
function readOwnAddresses(investor: string) {
  const [w, a] = [alias(watchWallets, 'w'), alias(depositAddresses, 'a')]
  return selectRows({
    ...{ coin: sql<Coin>`n.coin`, network: sql<ProvedNetwork>`n.network`, address: a.address },
    isPaid: sql<0 | 1>`${a.paidAt} IS NOT NULL`,
  })
    .from(w)
    .innerJoin(
      a,
      sql`a.seq IN (
        SELECT seq FROM deposit_addresses WHERE investor = ${investor} AND wallet = w.id ORDER BY seq DESC LIMIT 20)`,
    )
    .innerJoin(sql`chain_networks n`, sql`n.chain = w.chain`)
    .where(isNull(w.retiredAt))
}
