import { DecayingCounter } from './counters.ts'
import { amountOf, fixed, ONE, over, plain } from './decimal.ts'
import {
  type Account,
  averagePrice,
  type NewOrder,
  type Order,
  type Refusal,
  type Rules,
  type Trade,
} from './exchange.ts'
import { type KeyPair, keyPairOf, readToken } from './jwt.ts'
import { COINS, feeTiers, type Pair, pairsOf } from './pairs.ts'
import type { Answer, Asked, Ground, KeyOptions, Protocol, ProtocolKind } from './venue.ts'

// Coinbase's Advanced Trade API, v3 (https://docs.cdp.coinbase.com/api-reference/advanced-trade-api). docs/venues.md lists what is
// left out.

const PAIRS = pairsOf('1', {
  BTC: [2, 8, '0.00000001'],
  ETH: [2, 8, '0.00000001'],
  SOL: [2, 8, '0.00000001'],
  XRP: [4, 6, '0.000001'],
  ADA: [4, 8, '0.00000001'],
  LTC: [2, 8, '0.00000001'],
  DOGE: [5, 1, '0.1'],
  LINK: [3, 2, '0.01'],
})

const TIERS = feeTiers(
  [0, '0.60', '1.20'],
  [1_000, '0.35', '0.75'],
  [10_000, '0.25', '0.40'],
  [50_000, '0.15', '0.25'],
  [100_000, '0.10', '0.20'],
  [1_000_000, '0.08', '0.18'],
  [15_000_000, '0.06', '0.16'],
  [75_000_000, '0.03', '0.12'],
  [250_000_000, '0', '0.08'],
  [400_000_000, '0', '0.05'],
)

const PRIVATE_PER_SECOND = 30
const PUBLIC_PER_SECOND = 10
const TOKEN_SECONDS = 120
/** How far a token's `nbf` may lie in the future. */
const LEEWAY_SECONDS = 5
const BROKERAGE = '/api/v3/brokerage/'
const PORTFOLIO = 'b87a2d3e-8a1e-4eb3-a4ea-402d8c389aca'

interface Key {
  readonly name: string
  readonly pair: KeyPair
  readonly account: Account
  readonly canTrade: boolean
  readonly canTransfer: boolean
  readonly requests: DecayingCounter
}

/** An answer that ends a request. */
class CoinbaseError extends Error {
  readonly answer: Answer

  constructor(status: number, error: string, details: string) {
    super(details)
    this.answer = { status, body: { error, error_details: details, message: details } }
  }
}

export const coinbase: ProtocolKind = {
  rules: (bytes): Rules => ({
    pairs: PAIRS,
    feeTiers: TIERS,
    costDecimals: 16,
    assetDecimals: () => 16,
    mostOpenOrders: 500,
    isIdempotent: true,
    refusesCrossing: true,
    hasFeesInCoins: false,
    newId: () => uuidOf(bytes(16)),
  }),
  protocol: (ground) => new Coinbase(ground),
}

function uuidOf(bytes: Buffer): string {
  const digits = bytes.toString('hex')
  return digits.replace(/^(.{8})(.{4}).(.{3}).(.{3})(.{12})$/, '$1-$2-4$3-a$4-$5')
}

class Coinbase implements Protocol {
  readonly #ground: Ground
  readonly #keys = new Map<string, Key>()
  readonly #public = new DecayingCounter(PUBLIC_PER_SECOND, PUBLIC_PER_SECOND)

  constructor(ground: Ground) {
    this.#ground = ground
  }

  newKey(account: Account, { canWithdraw = false, canTrade = true, algorithm = 'ES256' }: KeyOptions) {
    const { bytes } = this.#ground
    const name = `organizations/${uuidOf(bytes(16))}/apiKeys/${uuidOf(bytes(16))}`
    const pair = keyPairOf(algorithm, Buffer.from(bytes(32)))
    const requests = new DecayingCounter(PRIVATE_PER_SECOND, PRIVATE_PER_SECOND)
    this.#keys.set(name, { name, pair, account, canTrade, canTransfer: canWithdraw, requests })
    return { key: name, secret: pair.secret }
  }

  isWrite({ method }: Asked): boolean {
    return method === 'POST'
  }

  busy(): Answer {
    return tooManyRequests()
  }

  authenticate(asked: Asked): { account: Account | null } | Answer {
    const now = this.#ground.exchange.now
    if (isPublic(asked.path)) {
      const isTooMuch = this.#public.isExceededBy(1, now) && this.#ground.hasLimits
      return isTooMuch ? tooManyRequests() : { account: null }
    }
    const key = this.#keyOf(asked)
    if (key === null) return { status: 401, body: 'Unauthorized\n' }
    if (key.requests.isExceededBy(1, now) && this.#ground.hasLimits) return tooManyRequests()
    return { account: key.account }
  }

  carryOut(asked: Asked, account: Account | null): Answer {
    try {
      if (this.#ground.exchange.mode() === 'maintenance' && !asked.path.endsWith('/time'))
        return {
          status: 503,
          body: { error: 'UNAVAILABLE', error_details: 'maintenance', message: 'maintenance' },
        }
      const body = account === null ? this.#answerPublic(asked) : this.#answerPrivate(asked, account)
      return { status: 200, body }
    } catch (error) {
      if (error instanceof CoinbaseError) return error.answer
      throw error
    }
  }

  /** The key that signed the request's token, if the token is for this request and for now. */
  #keyOf({ method, host, path, headers }: Asked): Key | null {
    const token = readToken((headers.get('Authorization') ?? '').replace(/^Bearer /, ''))
    const key = this.#keys.get(String(token?.header.kid))
    if (token === null || key === undefined || !token.isSignedBy(key.pair)) return null
    const { sub, iss, nbf, exp, uri, uris } = token.claims
    const now = Math.floor(this.#ground.exchange.now / 1000)
    if (sub !== key.name || (iss !== 'cdp' && iss !== 'coinbase-cloud')) return null
    if (typeof nbf !== 'number' || typeof exp !== 'number') return null
    if (nbf > now + LEEWAY_SECONDS || exp <= now || exp - nbf > TOKEN_SECONDS) return null
    // A client whose base address was changed signs that address, some of them with its scheme.
    const meant = ['api.coinbase.com', host, `http://${host}`].map((server) => `${method} ${server}${path}`)
    const named = [uri, ...(Array.isArray(uris) ? uris : [])]
    return named.some((name) => meant.includes(String(name))) ? key : null
  }

  #answerPublic({ path, query }: Asked): unknown {
    const { exchange } = this.#ground
    const iso = isoSeconds(exchange.now)
    switch (path) {
      case `${BROKERAGE}time`:
        return {
          iso,
          epochSeconds: String(Math.floor(exchange.now / 1000)),
          epochMillis: String(exchange.now),
        }
      default:
        return this.#market(path.replace(`${BROKERAGE}market/`, ''), query)
    }
  }

  /** The calls about products, which exist both with and without a key. */
  #market(name: string, query: URLSearchParams): unknown {
    const { exchange } = this.#ground
    if (name === 'products') {
      const kind = query.get('product_type')
      const wanted = query.getAll('product_ids')
      const pairs = kind !== null && kind !== 'SPOT' ? [] : PAIRS
      const products = pairs.filter((pair) => wanted.length === 0 || wanted.includes(idOf(pair)))
      return { products: products.map((pair) => this.#product(pair)), num_products: products.length }
    }
    if (name === 'product_book') {
      const pair = pairNamed(query.get('product_id') ?? '')
      const book = this.#priceBook(pair, wholeIn(query, 'limit', 250))
      const { bid, ask } = exchange.prices.touch(pair, exchange.now)
      const mid = (bid + ask) / 2n
      return {
        pricebook: book,
        last: fixed(mid, pair.priceDecimals),
        mid_market: plain(mid),
        spread_bps: plain(over((ask - bid) * 10_000n, mid)),
        spread_absolute: plain(ask - bid),
      }
    }
    const [, id = ''] = /^products\/([^/]+)$/.exec(name) ?? []
    if (id === '') throw new CoinbaseError(404, 'NOT_FOUND', 'not found')
    return this.#product(pairNamed(id))
  }

  #answerPrivate(asked: Asked, account: Account): unknown {
    const { exchange } = this.#ground
    const { method, path, query } = asked
    const key = this.#keyOf(asked)
    const name = path.replace(BROKERAGE, '')
    if (method === 'POST') {
      if (key?.canTrade === false)
        throw new CoinbaseError(403, 'PERMISSION_DENIED', 'Missing required scopes')
      const body = bodyOf(asked)
      if (name === 'orders') return this.#createOrder(body, account)
      if (name === 'orders/batch_cancel') return this.#cancelOrders(body, account)
      throw new CoinbaseError(404, 'NOT_FOUND', 'not found')
    }
    switch (name) {
      case 'key_permissions':
        return {
          can_view: true,
          can_trade: key?.canTrade ?? false,
          can_transfer: key?.canTransfer ?? false,
          portfolio_uuid: PORTFOLIO,
          portfolio_type: 'DEFAULT',
        }
      case 'accounts': {
        const rows = this.#accounts(account)
        const { page, cursor } = pageOf(rows, query, 49, 250)
        return { accounts: page, has_next: cursor !== '', cursor, size: page.length }
      }
      case 'transaction_summary':
        return this.#fees(account)
      case 'orders/historical/batch':
        return this.#listOrders(account, query)
      case 'orders/historical/fills':
        return this.#listFills(account, query)
    }
    const [, orderId] = /^orders\/historical\/([^/]+)$/.exec(name) ?? []
    if (orderId !== undefined) {
      const order = exchange.visible(account.orders).find(({ id }) => id === orderId)
      if (order === undefined)
        throw new CoinbaseError(404, 'NOT_FOUND', 'order with this orderID was not found')
      return { order: this.#order(order) }
    }
    return this.#market(name, query)
  }

  #createOrder(body: Body, account: Account): unknown {
    const placed = this.#ground.exchange.place(account, newOrder(body))
    const order_configuration = body.order_configuration
    if (typeof placed === 'string') {
      const { error, message, preview } = wordsOf(placed)
      const error_response = {
        error,
        message,
        error_details: '',
        preview_failure_reason: preview,
        new_order_failure_reason: error,
      }
      return {
        success: false,
        failure_reason: 'UNKNOWN_FAILURE_REASON',
        order_id: '',
        error_response,
        order_configuration,
      }
    }
    return {
      success: true,
      failure_reason: 'UNKNOWN_FAILURE_REASON',
      order_id: placed.id,
      success_response: {
        order_id: placed.id,
        product_id: idOf(placed.market),
        side: placed.side.toUpperCase(),
        client_order_id: placed.clientId,
      },
      order_configuration,
    }
  }

  /** A success only says that the cancellation was accepted: the order may still fill. */
  #cancelOrders(body: Body, account: Account): unknown {
    const { exchange } = this.#ground
    if (!Array.isArray(body.order_ids))
      throw new CoinbaseError(400, 'INVALID_ARGUMENT', 'order_ids is missing')
    const results = body.order_ids.map((id: unknown) => {
      const order = exchange.visible(account.orders).find((order) => order.id === id)
      const failed = (failure_reason: string) => ({ success: false, failure_reason, order_id: id })
      if (order === undefined) return failed('UNKNOWN_CANCEL_ORDER')
      if (order.cancelsAt !== null && order.state === 'open') return failed('DUPLICATE_CANCEL_REQUEST')
      if (order.state !== 'open') return failed('INVALID_CANCEL_REQUEST')
      exchange.cancel(order)
      return { success: true, failure_reason: 'UNKNOWN_CANCEL_FAILURE_REASON', order_id: id }
    })
    return { results }
  }

  #listOrders(account: Account, query: URLSearchParams): unknown {
    const statuses = query.getAll('order_status')
    const ids = query.getAll('order_ids')
    const products = [...query.getAll('product_ids'), ...query.getAll('product_id')]
    const [from, to] = [timeIn(query, 'start_date', 0), timeIn(query, 'end_date', Number.POSITIVE_INFINITY)]
    if (statuses.includes('OPEN') && statuses.length > 1)
      throw new CoinbaseError(400, 'INVALID_ARGUMENT', 'OPEN cannot be combined with other statuses')
    const orders = this.#ground.exchange
      .visible(account.orders)
      .filter((order) => statuses.length === 0 || statuses.includes(statusOf(order)))
      .filter(({ id }) => ids.length === 0 || ids.includes(id))
      .filter(({ market }) => products.length === 0 || products.includes(idOf(market)))
      .filter(({ openedAt }) => openedAt >= from && openedAt < to)
      .toReversed()
    const { page, cursor } = pageOf(orders, query, 1000, 1000)
    return { orders: page.map((order) => this.#order(order)), sequence: '0', has_next: cursor !== '', cursor }
  }

  #listFills(account: Account, query: URLSearchParams): unknown {
    const { exchange } = this.#ground
    const orders = [...query.getAll('order_ids'), ...query.getAll('order_id')]
    const products = [...query.getAll('product_ids'), ...query.getAll('product_id')]
    const from = timeIn(query, 'start_sequence_timestamp', 0)
    const to = timeIn(query, 'end_sequence_timestamp', Number.POSITIVE_INFINITY)
    const trades = exchange
      .visible(account.trades)
      .filter(({ order }) => orders.length === 0 || orders.includes(order.id))
      .filter(({ order }) => products.length === 0 || products.includes(idOf(order.market)))
      .filter(({ at }) => at >= from && at <= to)
      .toReversed()
    const { page, cursor } = pageOf(trades, query, 100, 250)
    const { faults } = exchange
    const repeated = page.length > 0 && faults.strikes('duplicates') ? [...page, ...page.slice(0, 3)] : page
    const shown = repeated.length > 1 && faults.strikes('reordered') ? faults.shuffled(repeated) : repeated
    return { fills: shown.map(fillRow), cursor }
  }

  #accounts(account: Account) {
    const held = this.#ground.exchange.shown(account)
    return ['USD', ...COINS].map((currency) => {
      const { total, held: hold } = held.get(currency) ?? { total: 0n, held: 0n }
      return {
        uuid: accountId(currency),
        name: `${currency} Wallet`,
        currency,
        available_balance: { value: fixed(total - hold, 16), currency },
        retail_portfolio_id: PORTFOLIO,
        type: currency === 'USD' ? 'ACCOUNT_TYPE_FIAT' : 'ACCOUNT_TYPE_CRYPTO',
        hold: { value: fixed(hold, 16), currency },
      }
    })
  }

  #fees(account: Account): unknown {
    const { volume, tier, rank } = this.#ground.exchange.tier(account)
    const fees = account.trades.reduce((sum, { fee }) => sum + fee, 0n)
    return {
      total_volume: Number(plain(volume)),
      total_fees: Number(plain(fees)),
      fee_tier: {
        pricing_tier: `Advanced ${rank}`,
        usd_from: plain(tier.from),
        usd_to: plain(TIERS[rank]?.from ?? 0n),
        taker_fee_rate: plain(tier.taker),
        maker_fee_rate: plain(tier.maker),
      },
    }
  }

  #product(pair: Pair): unknown {
    const { exchange } = this.#ground
    const mode = exchange.mode()
    const { bid, ask } = exchange.prices.touch(pair, exchange.now)
    return {
      product_id: idOf(pair),
      price: fixed((bid + ask) / 2n, pair.priceDecimals),
      base_increment: increment(pair.sizeDecimals),
      quote_increment: '0.01',
      quote_min_size: plain(pair.leastCost),
      quote_max_size: '150000000',
      base_min_size: plain(pair.leastSize),
      base_max_size: '100000000',
      is_disabled: false,
      status: 'online',
      cancel_only: mode === 'cancel_only',
      limit_only: mode === 'limit_only',
      post_only: mode === 'post_only',
      trading_disabled: false,
      product_type: 'SPOT',
      quote_currency_id: pair.quote,
      base_currency_id: pair.base,
      price_increment: increment(pair.priceDecimals),
      display_name: idOf(pair),
    }
  }

  #priceBook(pair: Pair, limit: number): unknown {
    const { exchange } = this.#ground
    const { bids, asks } = exchange.book(pair)
    const rows = (levels: typeof bids) =>
      levels
        .slice(0, limit)
        .map(({ price, size }) => ({ price: fixed(price, pair.priceDecimals), size: plain(size) }))
    return { product_id: idOf(pair), bids: rows(bids), asks: rows(asks), time: micros(exchange.now) }
  }

  #order(order: Order): unknown {
    const { market, limit, state, isSizeInQuote, timeInForce } = order
    const known = order.trades.filter(({ visibleAt }) => visibleAt <= this.#ground.exchange.now)
    return {
      order_id: order.id,
      product_id: idOf(market),
      order_configuration: configurationOf(order),
      side: order.side.toUpperCase(),
      client_order_id: order.clientId,
      status: statusOf(order),
      time_in_force: {
        gtc: 'GOOD_UNTIL_CANCELLED',
        gtd: 'GOOD_UNTIL_DATE_TIME',
        ioc: 'IMMEDIATE_OR_CANCEL',
        fok: 'FILL_OR_KILL',
      }[timeInForce],
      created_time: micros(order.openedAt),
      filled_size: plain(order.filled),
      average_filled_price: averagePrice(order, 16),
      number_of_fills: String(order.trades.length),
      filled_value: plain(order.cost),
      pending_cancel: state === 'open' && order.cancelsAt !== null,
      size_in_quote: isSizeInQuote,
      total_fees: plain(order.fee),
      size_inclusive_of_fees: isSizeInQuote,
      order_type: limit === null ? 'MARKET' : 'LIMIT',
      product_type: 'SPOT',
      last_fill_time: known.at(-1) === undefined ? null : micros(known.at(-1)?.at ?? 0),
    }
  }
}

type Body = Readonly<Record<string, unknown>>

/** Empty for anything but an object. */
function objectIn(value: unknown): Body {
  return typeof value === 'object' && value !== null ? (value as Body) : {}
}

function bodyOf({ body }: Asked): Body {
  try {
    return objectIn(JSON.parse(body))
  } catch {
    throw new CoinbaseError(400, 'INVALID_ARGUMENT', 'invalid body')
  }
}

const KINDS = [
  'market_market_ioc',
  'sor_limit_ioc',
  'limit_limit_gtc',
  'limit_limit_gtd',
  'limit_limit_fok',
] as const

function newOrder({ product_id, side, client_order_id, order_configuration }: Body): NewOrder {
  const invalid = (details: string) => new CoinbaseError(400, 'INVALID_ARGUMENT', details)
  if (typeof client_order_id !== 'string' || client_order_id === '')
    throw invalid('client_order_id is required')
  if (side !== 'BUY' && side !== 'SELL') throw invalid('side is required')
  const configuration = objectIn(order_configuration)
  const kind = KINDS.find((kind) => kind in configuration)
  const terms = objectIn(kind === undefined ? undefined : configuration[kind])
  if (kind === undefined || Object.keys(configuration).length !== 1)
    throw invalid('order_configuration is unsupported')
  const inQuote = terms.base_size === undefined && terms.quote_size !== undefined
  const size = amountOf(String(inQuote ? terms.quote_size : terms.base_size))
  const limit = kind === 'market_market_ioc' ? null : amountOf(String(terms.limit_price))
  if (size === null || size === 0n || (inQuote && limit !== null)) throw invalid('the size is invalid')
  if (kind !== 'market_market_ioc' && (limit === null || limit === 0n))
    throw invalid('limit_price is invalid')
  const expiresAt = kind === 'limit_limit_gtd' ? Date.parse(String(terms.end_time)) : null
  if (Number.isNaN(expiresAt)) throw invalid('end_time is invalid')
  return {
    pair: String(product_id).replace('-', '/'),
    side: side === 'BUY' ? 'buy' : 'sell',
    limit,
    size,
    isSizeInQuote: inQuote,
    timeInForce: kind.endsWith('ioc') ? 'ioc' : (kind.slice(-3) as 'gtc' | 'gtd' | 'fok'),
    isPostOnly: terms.post_only === true,
    feeIn: 'quote',
    clientId: client_order_id,
    expiresAt,
    deadline: null,
  }
}

function configurationOf({ limit, size, timeInForce, isPostOnly, expiresAt, isSizeInQuote }: Order): unknown {
  if (limit === null)
    return { market_market_ioc: { [isSizeInQuote ? 'quote_size' : 'base_size']: plain(size) } }
  const terms = { base_size: plain(size), limit_price: plain(limit) }
  switch (timeInForce) {
    case 'ioc':
      return { sor_limit_ioc: terms }
    case 'fok':
      return { limit_limit_fok: terms }
    case 'gtd':
      return { limit_limit_gtd: { ...terms, end_time: micros(expiresAt ?? 0), post_only: isPostOnly } }
    case 'gtc':
      return { limit_limit_gtc: { ...terms, post_only: isPostOnly } }
  }
}

function wordsOf(refusal: Refusal): { error: string; message: string; preview: string } {
  const words = (error: string, preview: string, message = '') => ({
    error,
    message,
    preview: `PREVIEW_${preview}`,
  })
  switch (refusal) {
    case 'unknown_pair':
      return words('INVALID_PRODUCT_ID', 'INVALID_PRODUCT_ID')
    case 'price_precision':
      return words('INVALID_PRICE_PRECISION', 'INVALID_PRICE_PRECISION', 'Too many decimals in order price')
    case 'size_precision':
      return words('INVALID_SIZE_PRECISION', 'INVALID_SIZE_PRECISION', 'Too many decimals in order amount')
    case 'size_too_small':
      return words('UNKNOWN_FAILURE_REASON', 'INVALID_BASE_SIZE_TOO_SMALL')
    case 'cost_too_small':
      return words('UNKNOWN_FAILURE_REASON', 'INVALID_QUOTE_SIZE_TOO_SMALL')
    case 'insufficient_funds':
      return words('INSUFFICIENT_FUND', 'INSUFFICIENT_FUND', 'Insufficient balance in source account')
    case 'would_match':
      return words('INVALID_LIMIT_PRICE_POST_ONLY', 'INVALID_LIMIT_PRICE_POST_ONLY')
    case 'expired':
      return words('UNKNOWN_FAILURE_REASON', 'END_TIME_IS_IN_THE_PAST')
    case 'cancel_only':
    case 'post_only':
    case 'limit_only':
      return words(
        'ORDER_ENTRY_DISABLED',
        'NOT_ALLOWED_BY_MARKET_STATE',
        `Orderbook is in ${refusal.replace('_', ' ')} mode`,
      )
    default:
      return words('COMMANDER_REJECTED_NEW_ORDER', 'UNKNOWN_PREVIEW_FAILURE_REASON')
  }
}

function statusOf({ state, cancelsAt }: Order): string {
  if (state === 'open') return cancelsAt === null ? 'OPEN' : 'CANCEL_QUEUED'
  return { filled: 'FILLED', cancelled: 'CANCELLED', expired: 'EXPIRED' }[state]
}

function fillRow({ id, order, price, size, cost, fee, isMaker, at }: Trade): unknown {
  return {
    entry_id: `${id}-entry`,
    trade_id: id,
    order_id: order.id,
    trade_time: micros(at),
    trade_type: 'FILL',
    price: fixed(price, order.market.priceDecimals),
    size: plain(order.isSizeInQuote ? cost : size),
    commission: plain(fee),
    product_id: idOf(order.market),
    sequence_timestamp: micros(at),
    liquidity_indicator: isMaker ? 'MAKER' : 'TAKER',
    size_in_quote: order.isSizeInQuote,
    side: order.side.toUpperCase(),
  }
}

function isPublic(path: string): boolean {
  return path === `${BROKERAGE}time` || path.startsWith(`${BROKERAGE}market/`)
}

function tooManyRequests(): Answer {
  return { status: 429, body: { errors: [{ id: 'rate_limit_exceeded', message: 'Too many requests' }] } }
}

/** A page of a list. The cursor is the number of rows before the next one. */
function pageOf<T>(rows: readonly T[], query: URLSearchParams, usual: number, most: number) {
  const limit = Math.min(Math.max(1, wholeIn(query, 'limit', usual)), most)
  const start = wholeIn(query, 'cursor', 0)
  const end = start + limit
  return { page: rows.slice(start, end), cursor: end < rows.length ? String(end) : '' }
}

function wholeIn(query: URLSearchParams, name: string, fallback: number): number {
  const text = query.get(name) ?? ''
  if (text === '') return fallback
  if (!/^\d{1,9}$/.test(text)) throw new CoinbaseError(400, 'INVALID_ARGUMENT', `${name} is invalid`)
  return Number(text)
}

function timeIn(query: URLSearchParams, name: string, fallback: number): number {
  const text = query.get(name)
  if (text === null || text === '') return fallback
  const at = Date.parse(text)
  if (Number.isNaN(at)) throw new CoinbaseError(400, 'INVALID_ARGUMENT', `${name} is invalid`)
  return at
}

function pairNamed(id: string): Pair {
  const pair = PAIRS.find((pair) => idOf(pair) === id)
  if (pair === undefined) throw new CoinbaseError(404, 'NOT_FOUND', 'valid product_id is required')
  return pair
}

const idOf = ({ base, quote }: Pair): string => `${base}-${quote}`

const accountId = (currency: string): string =>
  uuidOf(Buffer.from(`account ${currency}`.padEnd(16, '.').slice(0, 16)))

const increment = (decimals: number): string => plain(ONE / 10n ** BigInt(decimals))

const isoSeconds = (at: number): string => new Date(at).toISOString().replace(/\.\d+Z$/, 'Z')

const micros = (at: number): string => new Date(at).toISOString().replace('Z', '000Z')
