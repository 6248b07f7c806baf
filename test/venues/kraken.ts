import { createHash, createHmac, timingSafeEqual } from 'node:crypto'
import { DAY_MS } from '../../src/time.ts'
import { DecayingCounter } from './counters.ts'
import { amountOf, fixed, ONE, plain } from './decimal.ts'
import {
  type Account,
  averagePrice,
  type Entry,
  type NewOrder,
  type Order,
  type Refusal,
  type Rules,
  type Trade,
} from './exchange.ts'
import { type Coin, type FeeTiers, feeTiers, type Pair, pairsOf } from './pairs.ts'
import type { Answer, Asked, Ground, KeyOptions, Protocol, ProtocolKind } from './venue.ts'

// Kraken's spot REST API (https://docs.kraken.com/api-reference). docs/venues.md lists what is left out.

/** Kraken's code of each asset, its other name, and the decimals of a balance. */
const ASSETS: Record<Coin | 'USD', readonly [id: string, altname: string, decimals: number]> = {
  BTC: ['XXBT', 'XBT', 10],
  ETH: ['XETH', 'ETH', 10],
  SOL: ['SOL', 'SOL', 10],
  XRP: ['XXRP', 'XRP', 8],
  ADA: ['ADA', 'ADA', 8],
  LTC: ['XLTC', 'LTC', 10],
  DOGE: ['XXDG', 'XDG', 8],
  LINK: ['LINK', 'LINK', 10],
  USD: ['ZUSD', 'USD', 4],
}

const PAIRS = pairsOf('0.5', {
  BTC: [1, 8, '0.00005'],
  ETH: [2, 8, '0.001'],
  SOL: [2, 8, '0.02'],
  XRP: [5, 8, '2'],
  ADA: [6, 8, '4.4'],
  LTC: [2, 8, '0.04'],
  DOGE: [7, 8, '13'],
  LINK: [5, 8, '0.2'],
})

/** Since 2026-07-09, by volume alone: https://www.kraken.com/features/fee-schedule. */
const TIERS = feeTiers(
  [0, '0.40', '0.80'],
  [2_500, '0.30', '0.60'],
  [10_000, '0.22', '0.38'],
  [25_000, '0.20', '0.35'],
  [50_000, '0.15', '0.30'],
  [100_000, '0.12', '0.25'],
  [250_000, '0.10', '0.22'],
  [500_000, '0.08', '0.20'],
  [1_000_000, '0.06', '0.18'],
  [2_500_000, '0.04', '0.15'],
  [5_000_000, '0.02', '0.12'],
  [10_000_000, '0', '0.10'],
)

const COST_DECIMALS = 5
/** The limits of the tier `Pro`. */
const CALLS = { most: 20, perSecond: 1 }
const TRADING = { most: 180, perSecond: 3.75, openOrders: 225 }
const PUBLIC = { most: 30, perSecond: 1 }
const PAGE = 50
/** A `deadline` is so far ahead. Without one, it is the longest. */
const DEADLINE_MS = { least: 2_000, most: 60_000 }
const EXPIRY_MS = { least: 5_000, most: 31 * DAY_MS }

const PERMISSIONS = ['query-funds', 'query-open-trades', 'query-closed-trades', 'query-ledger', 'export-data']
const TRADING_PERMISSIONS = ['modify-trades', 'close-trades']

interface Key {
  readonly key: string
  readonly secret: Buffer
  readonly account: Account
  readonly permissions: readonly string[]
  readonly nonceWindow: bigint
  readonly calls: DecayingCounter
  /** Only those within the window. */
  readonly nonces: Set<bigint>
  highestNonce: bigint
}

/** An error that the exchange answers with, in its words. */
class KrakenError extends Error {}

export const kraken: ProtocolKind = {
  rules: (bytes): Rules => ({
    pairs: PAIRS,
    feeTiers: TIERS,
    costDecimals: COST_DECIMALS,
    assetDecimals: (asset) => ASSETS[asset as Coin][2],
    mostOpenOrders: TRADING.openOrders,
    isIdempotent: false,
    refusesCrossing: false,
    hasFeesInCoins: true,
    newId: (kind) => idOf({ order: 'O', trade: 'T', entry: 'L' }[kind], bytes(16)),
  }),
  protocol: (ground) => new Kraken(ground),
}

/** `OUF4EM-FRGI2-MQMWZD` */
function idOf(letter: string, bytes: Buffer): string {
  const digits = [...bytes].map((byte) => 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'[byte % 32]).join('')
  return `${letter}${digits.slice(0, 5)}-${digits.slice(5, 10)}-${digits.slice(10, 16)}`
}

class Kraken implements Protocol {
  readonly #ground: Ground
  readonly #keys = new Map<string, Key>()
  readonly #public = new DecayingCounter(PUBLIC.most, PUBLIC.perSecond)
  readonly #trading = new Map<string, DecayingCounter>()

  constructor(ground: Ground) {
    this.#ground = ground
  }

  newKey(
    account: Account,
    { canWithdraw = false, canTrade = true, lacks = '', nonceWindow = 0 }: KeyOptions,
  ): { key: string; secret: string } {
    const { bytes } = this.#ground
    const key: Key = {
      key: bytes(42).toString('base64'),
      secret: Buffer.from(bytes(64)),
      account,
      permissions: [
        ...PERMISSIONS,
        ...(canTrade ? TRADING_PERMISSIONS : []),
        ...(canWithdraw ? ['withdraw-funds'] : []),
      ].filter((permission) => permission !== lacks),
      nonceWindow: BigInt(nonceWindow),
      calls: new DecayingCounter(CALLS.most, CALLS.perSecond),
      nonces: new Set(),
      highestNonce: 0n,
    }
    this.#keys.set(key.key, key)
    return { key: key.key, secret: key.secret.toString('base64') }
  }

  isWrite({ path }: Asked): boolean {
    return /\/(?:AddOrder|CancelOrder)$/.test(path)
  }

  busy(draw: number): Answer {
    return failure(draw < 0.5 ? 'EAPI:Rate limit exceeded' : 'EService:Busy')
  }

  authenticate(asked: Asked): { account: Account | null } | Answer {
    if (asked.path.startsWith('/0/public/')) {
      const isTooMuch = this.#public.isExceededBy(1, this.#ground.exchange.now) && this.#ground.hasLimits
      return isTooMuch ? failure('EGeneral:Too many requests') : { account: null }
    }
    const key = this.#keys.get(asked.headers.get('API-Key') ?? '')
    if (key === undefined || asked.method !== 'POST') return failure('EAPI:Invalid key')
    const { nonce } = fieldsOf(asked)
    const digest = createHash('sha256')
      .update(`${nonce ?? ''}${asked.body}`)
      .digest()
    const expected = createHmac('sha512', key.secret).update(asked.path).update(digest).digest()
    const given = Buffer.from(asked.headers.get('API-Sign') ?? '', 'base64')
    if (given.length !== expected.length || !timingSafeEqual(given, expected))
      return failure('EAPI:Invalid signature')
    if (!isNewNonce(key, nonce)) return failure('EAPI:Invalid nonce')
    const cost = costOf(asked.path)
    if (cost > 0 && key.calls.isExceededBy(cost, this.#ground.exchange.now) && this.#ground.hasLimits)
      return failure('EAPI:Rate limit exceeded')
    return { account: key.account }
  }

  carryOut(asked: Asked, account: Account | null, receivedAt: number): Answer {
    try {
      const [, , scope, name = ''] = asked.path.split('/')
      const fields = scope === 'public' ? Object.fromEntries(asked.query) : fieldsOf(asked)
      if (this.#ground.exchange.mode() === 'maintenance' && !/^(?:Time|SystemStatus)$/.test(name))
        throw new KrakenError('EService:Unavailable')
      if (account === null) return success(this.#answerPublic(name, fields))
      const key = this.#keys.get(asked.headers.get('API-Key') ?? '')
      if (key === undefined) throw new KrakenError('EAPI:Invalid key')
      return success(this.#answerPrivate(name, fields, key, receivedAt))
    } catch (error) {
      if (error instanceof KrakenError) return failure(error.message)
      throw error
    }
  }

  #answerPublic(name: string, fields: Fields): unknown {
    const { exchange } = this.#ground
    switch (name) {
      case 'Time':
        return { unixtime: Math.floor(exchange.now / 1000), rfc1123: new Date(exchange.now).toUTCString() }
      case 'SystemStatus': {
        const mode = exchange.mode()
        return { status: mode === 'limit_only' ? 'online' : mode, timestamp: isoSeconds(exchange.now) }
      }
      case 'Assets':
        return Object.fromEntries(
          Object.values(ASSETS).map(([id, altname, decimals]) => [
            id,
            {
              aclass: 'currency',
              altname,
              decimals,
              status: 'enabled',
            },
          ]),
        )
      case 'AssetPairs':
        return Object.fromEntries(
          this.#pairs(fields.pair).map((pair) => [idOfPair(pair), this.#describe(pair)]),
        )
      case 'Depth': {
        const pair = this.#pair(fields.pair)
        const { bids, asks } = exchange.book(pair)
        const count = parseWhole(fields.count, 100)
        const rows = (levels: typeof bids) =>
          levels
            .slice(0, count)
            .map(({ price, size }) => [
              fixed(price, pair.priceDecimals),
              fixed(size, 3),
              Math.floor(exchange.now / 1000),
            ])
        return { [idOfPair(pair)]: { asks: rows(asks), bids: rows(bids) } }
      }
      default:
        throw new KrakenError('EGeneral:Unknown method')
    }
  }

  #answerPrivate(name: string, fields: Fields, key: Key, receivedAt: number): unknown {
    const { exchange } = this.#ground
    const { account } = key
    const needs = (...permissions: readonly string[]) => {
      if (!permissions.some((permission) => key.permissions.includes(permission)))
        throw new KrakenError('EGeneral:Permission denied')
    }
    switch (name) {
      case 'GetApiKeyInfo':
        return {
          apiKey: key.key,
          nonce: String(key.highestNonce),
          nonceWindow: Number(key.nonceWindow),
          permissions: key.permissions,
        }
      case 'BalanceEx':
        needs('query-funds')
        return Object.fromEntries(
          [...exchange.shown(account)].map(([asset, { total, held }]) => {
            const [id, , decimals] = ASSETS[asset as Coin]
            const none = fixed(0n, decimals)
            const balance = { balance: fixed(total, decimals), hold_trade: fixed(held, decimals) }
            return [id, { ...balance, credit: none, credit_used: none }]
          }),
        )
      case 'TradeVolume': {
        needs('query-funds')
        return this.#tradeVolume(account, fields.pair)
      }
      case 'OpenOrders':
        needs('query-open-trades')
        return {
          open: this.#orders(account, fields, ({ state }) => state === 'open').reduce(
            named(fields, exchange.now),
            {},
          ),
        }
      case 'ClosedOrders': {
        needs('query-closed-trades')
        const [from, to] = this.#span(account, fields)
        const by = fields.closetime ?? 'both'
        const closed = this.#orders(account, fields, ({ state, openedAt, closedAt }) => {
          const isIn = (at: number | null) => at !== null && at > from && at <= to
          return state !== 'open' && ((by !== 'open' && isIn(closedAt)) || (by !== 'close' && isIn(openedAt)))
        })
        const page = pageOf(closed, parseWhole(fields.ofs, 0))
        return {
          closed: page.reduce(named(fields, exchange.now), {}),
          ...(fields.without_count === 'true' ? {} : { count: closed.length }),
        }
      }
      case 'QueryOrders': {
        needs('query-open-trades', 'query-closed-trades')
        const ids = idsOf(fields.txid)
        const found = this.#orders(account, fields, ({ id }) => ids.includes(id))
        if (found.length === 0) throw new KrakenError('EOrder:Unknown order')
        return found.reduce(named(fields, exchange.now), {})
      }
      case 'TradesHistory': {
        needs('query-closed-trades', 'query-open-trades')
        const [from, to] = this.#span(account, fields)
        const trades = exchange
          .visible(account.trades)
          .filter(({ at }) => at > from && at <= to)
          .toReversed()
        const page = this.#disturbed(trades, parseWhole(fields.ofs, 0))
        const shown = page.map((trade) => [trade.id, this.#trade(trade, fields.ledgers === 'true')])
        return {
          trades: Object.fromEntries(shown),
          ...(fields.without_count === 'true' ? {} : { count: trades.length }),
        }
      }
      case 'Ledgers': {
        needs('query-ledger')
        const [from, to] = this.#span(account, fields)
        const entries = exchange
          .visible(account.entries)
          .filter(({ at, asset }) => at > from && at <= to && isListed(fields, asset))
          .toReversed()
        const page = this.#disturbed(entries, parseWhole(fields.ofs, 0))
        return {
          ledger: Object.fromEntries(page.map((entry) => [entry.id, ledgerRow(entry)])),
          ...(fields.without_count === 'true' ? {} : { count: entries.length }),
        }
      }
      case 'AddOrder':
        needs('modify-trades')
        return this.#addOrder(fields, account, receivedAt)
      case 'CancelOrder':
        needs('close-trades', 'modify-trades')
        return this.#cancelOrder(fields, account)
      case 'Withdraw':
        needs('withdraw-funds')
        throw new KrakenError('EFunding:Unknown withdraw key')
      default:
        throw new KrakenError('EGeneral:Unknown method')
    }
  }

  /** The volume of 30 days, and the fees of these pairs in percent. */
  #tradeVolume(account: Account, pairs: string | undefined): unknown {
    const { volume, tier, rank } = this.#ground.exchange.tier(account)
    const next = TIERS[rank]
    const listFees = (side: 'maker' | 'taker') => {
      const percent = (row: FeeTiers[number] | undefined) => row && fixed(row[side] * 100n, 4)
      const fee = {
        fee: percent(tier),
        min_fee: percent(TIERS.at(-1)),
        max_fee: percent(TIERS[0]),
        next_fee: percent(next) ?? null,
        next_volume: next ? fixed(next.from, 4) : null,
        tier_volume: fixed(tier.from, 4),
      }
      const asked = pairs === undefined || pairs === '' ? [] : this.#pairs(pairs)
      return Object.fromEntries(asked.map((pair) => [idOfPair(pair), fee]))
    }
    const fees = { fees: listFees('taker'), fees_maker: listFees('maker') }
    return { currency: 'ZUSD', volume: fixed(volume, 4), ...(pairs ? fees : {}) }
  }

  #addOrder(fields: Fields, account: Account, receivedAt: number): unknown {
    const { exchange, hasLimits } = this.#ground
    const pair = PAIRS.find((pair) =>
      namesOf(pair)
        .slice(0, 2)
        .includes(fields.pair ?? ''),
    )
    if (pair === undefined) throw new KrakenError('EQuery:Unknown asset pair')
    if (this.#counter(account, pair).isExceededBy(1, exchange.now) && hasLimits)
      throw new KrakenError('EOrder:Rate limit exceeded')
    const wanted = newOrder(fields, pair, receivedAt)
    const isDryRun = fields.validate === 'true' || fields.validate === '1'
    const placed = exchange.place(account, wanted, isDryRun)
    if (typeof placed === 'string') throw new KrakenError(wordsOf(placed, pair))
    const descr = { order: sentence(placed) }
    return isDryRun ? { descr } : { descr, txid: [placed.id] }
  }

  #cancelOrder(fields: Fields, account: Account): unknown {
    const { exchange, hasLimits } = this.#ground
    const named = fields.cl_ord_id ?? fields.txid ?? ''
    const orders = exchange
      .visible(account.orders)
      .filter(
        ({ id, clientId, state }) =>
          state === 'open' && (fields.cl_ord_id === undefined ? id : clientId) === named,
      )
    for (const { market, openedAt } of orders)
      if (
        this.#counter(account, market).isExceededBy(cancelCost(exchange.now - openedAt), exchange.now) &&
        hasLimits
      )
        throw new KrakenError('EOrder:Rate limit exceeded')
    const results = orders.map((order) => exchange.cancel(order)).filter((result) => result !== 'too_late')
    if (results.length === 0) throw new KrakenError('EOrder:Unknown order')
    return { count: results.length, ...(results.includes('pending') ? { pending: true } : {}) }
  }

  #counter(account: Account, pair: Pair): DecayingCounter {
    const owner = [...this.#keys.values()].find((key) => key.account === account)?.key ?? ''
    const name = `${owner}/${pair.symbol}`
    const counter = this.#trading.get(name) ?? new DecayingCounter(TRADING.most, TRADING.perSecond)
    this.#trading.set(name, counter)
    return counter
  }

  #pair(text = ''): Pair {
    const pair = PAIRS.find((pair) => [...namesOf(pair), pair.symbol].includes(text))
    if (pair === undefined) throw new KrakenError('EQuery:Unknown asset pair')
    return pair
  }

  #pairs(text: string | undefined): readonly Pair[] {
    return text === undefined || text === '' ? PAIRS : text.split(',').map((name) => this.#pair(name))
  }

  #describe(pair: Pair): unknown {
    const mode = this.#ground.exchange.mode()
    const [, altname, wsname] = namesOf(pair)
    return {
      altname,
      wsname,
      aclass_base: 'currency',
      base: ASSETS[pair.base as Coin][0],
      aclass_quote: 'currency',
      quote: 'ZUSD',
      cost_decimals: COST_DECIMALS,
      pair_decimals: pair.priceDecimals,
      lot_decimals: pair.sizeDecimals,
      lot_multiplier: 1,
      // Always empty since 2026-09-08. `TradeVolume` has them.
      fees: [],
      fees_maker: [],
      fee_volume_currency: 'ZUSD',
      ordermin: plain(pair.leastSize),
      costmin: plain(pair.leastCost),
      tick_size: plain(ONE / 10n ** BigInt(pair.priceDecimals)),
      status: mode === 'maintenance' ? 'online' : mode,
    }
  }

  #orders(account: Account, { cl_ord_id: clientId }: Fields, isWanted: (order: Order) => boolean): Order[] {
    return this.#ground.exchange
      .visible(account.orders)
      .filter(isWanted)
      .filter((order) => clientId === undefined || order.clientId === clientId)
      .toReversed()
  }

  /** The times of `start`, exclusive, and `end`, inclusive: seconds, or the id of an order or a trade. */
  #span(account: Account, { start, end }: Fields): readonly [from: number, to: number] {
    const time = (text: string | undefined, fallback: number): number => {
      if (text === undefined || text === '') return fallback
      const known = [...account.trades, ...account.entries].find(({ id }) => id === text)
      const order = account.orders.find(({ id }) => id === text)
      const at = known?.at ?? order?.openedAt ?? Number(text) * 1000
      if (Number.isNaN(at)) throw new KrakenError('EGeneral:Invalid arguments')
      return at
    }
    return [time(start, -1), time(end, Number.POSITIVE_INFINITY)]
  }

  /** A page of a list, with what the faults do to it: rows of the page before, and another order. */
  #disturbed<T>(rows: readonly T[], offset: number): T[] {
    const { faults } = this.#ground.exchange
    const again = offset > 0 && faults.strikes('duplicates') ? faults.between(1, 3) : 0
    const page = rows.slice(Math.max(0, offset - again), offset + PAGE)
    return page.length > 1 && faults.strikes('reordered') ? faults.shuffled(page) : page
  }

  #trade({ id, number, order, price, size, cost, fee, isMaker, at }: Trade, withLedgers: boolean): unknown {
    const entries = this.#ground.exchange
      .visible(order.account.entries)
      .filter(({ tradeId }) => tradeId === id)
    return {
      ordertxid: order.id,
      postxid: `TKH2SE-M7IF5-${id.slice(-6)}`,
      pair: idOfPair(order.market),
      aclass: 'forex',
      time: at / 1000,
      type: order.side,
      ordertype: order.limit === null ? 'market' : 'limit',
      price: fixed(price, order.market.priceDecimals),
      cost: fixed(cost, COST_DECIMALS),
      fee: fixed(fee, COST_DECIMALS),
      vol: fixed(size, 8),
      trade_id: number,
      maker: isMaker,
      ...(withLedgers ? { ledgers: entries.map((entry) => entry.id) } : {}),
    }
  }
}

type Fields = Readonly<Record<string, string | undefined>>

/** The fields of a body, which is a form or JSON. */
function fieldsOf({ body, headers }: Asked): Fields {
  if (!(headers.get('Content-Type') ?? '').includes('json'))
    return Object.fromEntries(new URLSearchParams(body))
  try {
    const read: unknown = JSON.parse(body)
    const entries = typeof read === 'object' && read !== null ? Object.entries(read) : []
    return Object.fromEntries(entries.map(([name, value]) => [name, String(value)]))
  } catch {
    return {}
  }
}

/** Nonces rise strictly. With a window, one that was not used yet may stand behind the highest by less than the window. */
function isNewNonce(key: Key, text: string | undefined): boolean {
  if (!/^\d{1,20}$/.test(text ?? '')) return false
  const nonce = BigInt(text ?? '')
  if (nonce >= 2n ** 64n || key.nonces.has(nonce) || nonce + key.nonceWindow <= key.highestNonce) return false
  key.nonces.add(nonce)
  if (nonce > key.highestNonce) key.highestNonce = nonce
  for (const used of key.nonces) if (used + key.nonceWindow < key.highestNonce) key.nonces.delete(used)
  return true
}

function costOf(path: string): number {
  if (/\/(?:AddOrder|CancelOrder)$/.test(path)) return 0
  return /\/(?:TradesHistory|Ledgers|ClosedOrders)$/.test(path) ? 2 : 1
}

/** What a cancellation adds to the trading counter, by the age of the order. */
function cancelCost(ageMs: number): number {
  const steps = [
    [5, 8],
    [10, 6],
    [15, 5],
    [45, 4],
    [90, 2],
    [300, 1],
  ] as const
  return steps.find(([seconds]) => ageMs < seconds * 1000)?.[1] ?? 0
}

function newOrder(fields: Fields, pair: Pair, receivedAt: number): NewOrder {
  const invalid = (name: string) => new KrakenError(`EGeneral:Invalid arguments:${name}`)
  const { type, ordertype, oflags = '', timeinforce = 'GTC' } = fields
  if (type !== 'buy' && type !== 'sell') throw invalid('type')
  if (ordertype !== 'limit' && ordertype !== 'market') throw invalid('ordertype')
  if (fields.leverage !== undefined && fields.leverage !== 'none') throw invalid('leverage')
  if (fields.starttm !== undefined && fields.starttm !== '0') throw invalid('starttm')
  const flags = new Set(oflags.split(',').filter((flag) => flag !== ''))
  for (const flag of flags)
    if (!['post', 'fcib', 'fciq', 'nompp', 'viqc'].includes(flag)) throw invalid('oflags')
  if (flags.has('fcib') && flags.has('fciq')) throw invalid('oflags')
  const size = amountOf(fields.volume ?? '')
  if (size === null || size === 0n) throw invalid('volume')
  const limit = ordertype === 'market' ? null : amountOf(fields.price ?? '')
  if (ordertype === 'limit' && (limit === null || limit === 0n)) throw invalid('price')
  const isPostOnly = flags.has('post')
  if (isPostOnly && limit === null) throw invalid('oflags')
  const lasting = LASTING[timeinforce]
  if (lasting === undefined) throw invalid('timeinforce')
  const expiresAt = parseExpiry(fields.expiretm, receivedAt)
  if (expiresAt === undefined || (timeinforce === 'GTD') !== (expiresAt !== null)) throw invalid('expiretm')
  if (expiresAt !== null && expiresAt > receivedAt + EXPIRY_MS.most) throw invalid('expiretm')
  const clientId = fields.cl_ord_id ?? null
  if (clientId !== null && !isClientId(clientId)) throw invalid('cl_ord_id')
  const deadline = fields.deadline === undefined ? receivedAt + DEADLINE_MS.most : Date.parse(fields.deadline)
  const ahead = deadline - receivedAt
  if (!(ahead >= DEADLINE_MS.least && ahead <= DEADLINE_MS.most)) throw invalid('deadline')
  return {
    pair: pair.symbol,
    side: type,
    limit,
    size,
    isSizeInQuote: flags.has('viqc'),
    timeInForce: ordertype === 'market' ? 'ioc' : lasting,
    isPostOnly,
    feeIn: flags.has('fcib') ? 'base' : 'quote',
    clientId,
    expiresAt,
    deadline,
  }
}

const LASTING: Readonly<Record<string, NewOrder['timeInForce'] | undefined>> = {
  GTC: 'gtc',
  IOC: 'ioc',
  GTD: 'gtd',
  FOK: 'fok',
}

/**
 * Parses an expiry time into milliseconds. `0` or an empty text means never: null. `+5` means in five seconds, the shortest. Any other
 * number is in Unix seconds. Undefined if the text is invalid.
 */
function parseExpiry(text: string | undefined, now: number): number | null | undefined {
  if (text === undefined || text === '0' || text === '') return null
  if (/^\+\d{1,9}$/.test(text)) {
    const ms = Number(text.slice(1)) * 1000
    return ms < EXPIRY_MS.least ? undefined : now + ms
  }
  return /^\d{1,11}(?:\.\d+)?$/.test(text) ? Number(text) * 1000 : undefined
}

/** A UUID with or without hyphens, or a text of up to 18 characters. */
function isClientId(text: string): boolean {
  return (
    /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i.test(text) ||
    /^[0-9a-f]{32}$/i.test(text) ||
    /^[ -~]{1,18}$/.test(text)
  )
}

function wordsOf(refusal: Refusal, pair: Pair): string {
  switch (refusal) {
    case 'unknown_pair':
      return 'EQuery:Unknown asset pair'
    case 'price_precision':
      return `EOrder:Invalid price:${namesOf(pair)[1]} price can only be specified up to ${pair.priceDecimals} decimals.`
    case 'size_precision':
      return 'EGeneral:Invalid arguments:volume'
    case 'size_too_small':
      return 'EOrder:Order minimum not met'
    case 'cost_too_small':
      return 'EOrder:Cost minimum not met'
    case 'insufficient_funds':
      return 'EOrder:Insufficient funds'
    case 'duplicate':
      return 'EOrder:Duplicate cl_ord_id'
    case 'expired':
      return 'EGeneral:Invalid arguments:expiretm'
    case 'too_many_orders':
      return 'EOrder:Orders limit exceeded'
    case 'deadline':
      return 'EService:Deadline elapsed'
    case 'maintenance':
      return 'EService:Unavailable'
    case 'would_match':
      return 'EOrder:Post only order'
    default:
      return `EService:Market in ${refusal} mode`
  }
}

function namesOf(pair: Pair): readonly [id: string, altname: string, wsname: string] {
  const [base, altname] = ASSETS[pair.base as Coin]
  // Only pairs of two assets with the old prefixes have them in their id.
  const id = base !== altname ? `${base}ZUSD` : `${altname}USD`
  return [pair.base === 'DOGE' ? 'XDGUSD' : id, `${altname}USD`, `${altname}/USD`]
}

const idOfPair = (pair: Pair): string => namesOf(pair)[0]

/** Whether a ledger that was asked for with these fields has the trades of an asset. */
function isListed({ type = 'all', asset: codes = 'all' }: Fields, asset: string): boolean {
  const [id, altname] = ASSETS[asset as Coin]
  return (
    ['all', 'trade'].includes(type) && codes.split(',').some((code) => ['all', id, altname].includes(code))
  )
}

const idsOf = (text: string | undefined): readonly string[] => (text ?? '').split(',').slice(0, 50)

const isoSeconds = (at: number): string => new Date(at).toISOString().replace(/\.\d+Z$/, 'Z')

function parseWhole(text: string | undefined, fallback: number): number {
  if (text === undefined || text === '') return fallback
  if (!/^\d{1,9}$/.test(text)) throw new KrakenError('EGeneral:Invalid arguments')
  return Number(text)
}

function pageOf<T>(rows: readonly T[], offset: number): readonly T[] {
  return rows.slice(offset, offset + PAGE)
}

/** `buy 1.25000000 XBTUSD @ limit 37500.0` */
function sentence({ side, size, market, limit }: Order): string {
  const what = limit === null ? 'market' : `limit ${fixed(limit, market.priceDecimals)}`
  return `${side} ${fixed(size, 8)} ${namesOf(market)[1]} @ ${what}`
}

/** Collects orders under their ids. */
function named(fields: Fields, now: number) {
  return (rows: Record<string, unknown>, order: Order): Record<string, unknown> => {
    rows[order.id] = orderRow(order, fields.trades === 'true', now)
    return rows
  }
}

function orderRow(order: Order, withTrades: boolean, now: number): unknown {
  const { market, side, limit, state, clientId, isPostOnly, feeIn } = order
  const status = { open: 'open', filled: 'closed', cancelled: 'canceled', expired: 'expired' }[state]
  return {
    refid: null,
    userref: null,
    ...(clientId === null ? {} : { cl_ord_id: clientId }),
    status,
    ...(state === 'open' ? {} : { reason: order.reason, closetm: (order.closedAt ?? 0) / 1000 }),
    opentm: order.openedAt / 1000,
    starttm: 0,
    expiretm: order.expiresAt === null ? 0 : Math.floor(order.expiresAt / 1000),
    descr: {
      pair: namesOf(market)[1],
      type: side,
      ordertype: limit === null ? 'market' : 'limit',
      price: limit === null ? '0' : fixed(limit, market.priceDecimals),
      order: sentence(order),
    },
    vol: fixed(order.size, 8),
    vol_exec: fixed(order.isSizeInQuote ? order.cost : order.filled, 8),
    cost: fixed(order.cost, COST_DECIMALS),
    fee: fixed(order.fee, COST_DECIMALS),
    price: averagePrice(order, market.priceDecimals),
    oflags: [
      feeIn === 'base' ? 'fcib' : 'fciq',
      ...(isPostOnly ? ['post'] : []),
      ...(order.isSizeInQuote ? ['viqc'] : []),
    ].join(),
    ...(withTrades
      ? { trades: order.trades.filter(({ visibleAt }) => visibleAt <= now).map(({ id }) => id) }
      : {}),
  }
}

function ledgerRow({ tradeId, asset, amount, fee, balance, at }: Entry): unknown {
  const [id, , decimals] = ASSETS[asset as Coin]
  return {
    refid: tradeId,
    time: at / 1000,
    type: 'trade',
    subtype: '',
    aclass: 'currency',
    asset: id,
    amount: fixed(amount, decimals),
    fee: fixed(fee, decimals),
    balance: fixed(balance, decimals),
  }
}

function success(result: unknown): Answer {
  return { status: 200, body: { error: [], result } }
}

function failure(words: string): Answer {
  return { status: 200, body: { error: [words] } }
}
