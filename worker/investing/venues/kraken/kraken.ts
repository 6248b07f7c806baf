import type * as z from 'zod/mini'
import { runtime } from '../../../lib/runtime.ts'
import type { Budgets } from '../budget.ts'
import {
  type Access,
  buildRefusedResult,
  buildUnsentResult,
  type ClientOrder,
  listUniqueFills,
  OVERLAP_MS,
  readRows,
  sumBalances,
  type VenueClient,
  VenueFailure,
} from '../client.ts'
import { FEE_DECIMALS, formatUnits, PRICE_DECIMALS, parseUnits, QUANTITY_DECIMALS } from '../units.ts'
import type {
  Permissions,
  RefusedFor,
  SubmissionResult,
  TopOfBook,
  VenueFill,
  VenueMarket,
  VenueOrder,
  VenueStatus,
} from '../venue.ts'
import * as answers from './answers.ts'
import {
  createClockNonces,
  createKrakenBudgets,
  type Fields,
  KrakenCalls,
  KrakenError,
  type Nonces,
} from './calls.ts'

/** The address of Kraken's spot API. */
export const KRAKEN = 'https://api.kraken.com'

const PAGE = 50
const PERCENT_DECIMALS = 2
/** A list that changes while it is read is read again this often. */
const ATTEMPTS = 3
/**
 * The matching engine refuses an order that reaches it later than this after it was sent. Kraken takes 2 to 60 seconds. It is longer
 * than an answer may take.
 */
const DEADLINE_MS = 15_000
/** The least time that an order must have left: a deadline is two seconds ahead, and the clocks may differ by half a second. */
const LEAST_MS = 3_000

/** The permissions that trading needs. Without the ledger, orders would be executed that cannot be booked. */
const NEEDED = [
  'query-funds',
  'query-open-trades',
  'query-closed-trades',
  'query-ledger',
  'modify-trades',
  'close-trades',
]
/** A key with any other permission is treated as one that may withdraw. */
const HARMLESS = new Set([...NEEDED, 'export-data', 'create-ws-token'])

/** Kraken's spot REST API (https://docs.kraken.com/api-reference). */
export class Kraken implements VenueClient {
  readonly name = 'kraken'
  readonly #access: Access
  readonly #calls: KrakenCalls
  /** Our asset of each pair against USD, by all the pair's names. */
  #assets: Promise<ReadonlyMap<string, string>> | null = null

  constructor(
    access: Access,
    nonces: Nonces = createClockNonces(),
    budgets: Budgets = createKrakenBudgets(),
  ) {
    this.#access = access
    this.#calls = new KrakenCalls(access, nonces, budgets)
  }

  async permissions(): Promise<Permissions> {
    const { permissions } = await this.#read(this.#calls.account('GetApiKeyInfo', {}, answers.keyInfo))
    return {
      missing: NEEDED.filter((permission) => !permissions.includes(permission)),
      withdraw: permissions.some((permission) => !HARMLESS.has(permission)),
    }
  }

  /** To the second. */
  async time(): Promise<number> {
    const askedMs = runtime.now()
    const { unixtime } = await this.#read(this.#calls.public('Time', {}, answers.time))
    // The second that is going on is half over on average.
    return this.#access.clock.measured(unixtime * 1000 + 500, askedMs, runtime.now())
  }

  async status(asset?: string): Promise<VenueStatus> {
    const { status } = await this.#read(this.#calls.public('SystemStatus', {}, answers.systemStatus))
    if (status !== 'online' || asset === undefined) return toVenueStatus(status)
    const pairs = await this.#read(
      this.#calls.public('AssetPairs', { pair: toPairName(asset) }, answers.assetPairs),
    )
    const { data } = answers.pairMarket.safeParse(Object.values(pairs)[0])
    return toVenueStatus(data?.status ?? 'maintenance')
  }

  async markets(assets: readonly string[]): Promise<readonly VenueMarket[]> {
    const pairs = await this.#read(this.#calls.public('AssetPairs', {}, answers.assetPairs))
    this.#assets = Promise.resolve(mapAssets(pairs))
    const wanted = assets.flatMap((asset) => {
      const pair = Object.values(pairs).find((assetPair) => assetPair?.altname === toPairName(asset))
      return pair ? [{ asset, pair }] : []
    })
    return readRows(this.name, wanted, ({ asset, pair }): VenueMarket => {
      const market = answers.pairMarket.parse(pair)
      const tick =
        market.tick_size ?? formatUnits(10 ** (PRICE_DECIMALS - market.pair_decimals), PRICE_DECIMALS)
      return {
        asset,
        leastQuantity: parseUnits(market.ordermin ?? '0', QUANTITY_DECIMALS),
        leastValue: parseUnits(market.costmin ?? '0', QUANTITY_DECIMALS),
        quantityStep: 10 ** Math.max(0, QUANTITY_DECIMALS - market.lot_decimals),
        priceStep: parseUnits(tick, PRICE_DECIMALS),
      }
    })
  }

  async takerFee(assets: readonly string[]): Promise<number> {
    const fields = { pair: assets.map(toPairName).join(',') }
    const { fees } = await this.#read(this.#calls.account('TradeVolume', fields, answers.tradeVolume))
    const rates = Object.values(fees).map(({ fee }) => parseUnits(fee, FEE_DECIMALS - PERCENT_DECIMALS, 'up'))
    if (rates.length !== assets.length)
      throw new VenueFailure('unreadable', 'does not say what trading costs')
    return Math.max(...rates)
  }

  async book(asset: string): Promise<TopOfBook> {
    const fields = { pair: toPairName(asset), count: '1' }
    const [book] = Object.values(await this.#read(this.#calls.public('Depth', fields, answers.depth)))
    const best = ([level]: readonly (readonly [string, ...unknown[]])[] = []) =>
      level === undefined ? null : parseUnits(level[0], PRICE_DECIMALS)
    return { bid: best(book?.bids), ask: best(book?.asks) }
  }

  async balances(): Promise<ReadonlyMap<string, number>> {
    const balances = await this.#read(this.#calls.account('BalanceEx', {}, answers.balances))
    const rows = Object.entries(balances).map(([code, row]) => row && { code, ...row })
    return sumBalances(
      readRows(this.name, rows, ({ code, balance }) =>
        code === FEE_CREDITS
          ? undefined
          : ([parseAsset(code), parseUnits(balance, QUANTITY_DECIMALS)] as const),
      ),
    )
  }

  async submit(order: ClientOrder): Promise<SubmissionResult> {
    const { clock } = this.#access
    try {
      await clock.ready(() => this.time())
    } catch (error) {
      return buildUnsentResult(error)
    }
    const now = runtime.now()
    if (order.expiresAt < now + LEAST_MS) return buildRefusedResult('deadline')
    const isResting = order.timeInForce !== 'ioc'
    // In whole seconds, never later than wanted.
    const expires = Math.floor(clock.venueTime(order.expiresAt) / 1000)
    const deadline = Math.min(clock.venueTime(now + DEADLINE_MS), clock.venueTime(order.expiresAt))
    const fields = {
      pair: toPairName(order.asset),
      type: order.side,
      ordertype: 'limit',
      volume: formatUnits(order.quantity, QUANTITY_DECIMALS),
      price: formatUnits(order.limitPrice, PRICE_DECIMALS),
      cl_ord_id: order.clientId,
      // Fees in USD: a fee in the asset would leave less than was bought.
      oflags: 'fciq',
      timeinforce: isResting ? 'GTD' : 'IOC',
      ...(isResting ? { expiretm: String(expires) } : {}),
      deadline: new Date(deadline).toISOString(),
    }
    try {
      const { txid } = await this.#calls.trading('AddOrder', fields, answers.placed, 1)
      return { state: 'accepted', venueId: String(txid[0]) }
    } catch (error) {
      return toSubmissionResult(error)
    }
  }

  async cancel(venueId: string): Promise<void> {
    try {
      await this.#calls.trading('CancelOrder', { txid: venueId }, answers.cancelled, 8)
    } catch (error) {
      // Not open, or not in the lists yet.
      if (error instanceof KrakenError && error.message === 'EOrder:Unknown order') return
      throw toVenueFailure(error)
    }
  }

  async order(id: string): Promise<VenueOrder | null> {
    if (!/^O[A-Z0-9]{5}-[A-Z0-9]{5}-[A-Z0-9]{6}$/.test(id)) return this.#orderOfClient(id)
    try {
      const rows = await this.#calls.account('QueryOrders', { txid: id }, answers.queriedOrders)
      return (await this.#queriedIn(rows)).find(({ venueId }) => venueId === id) ?? null
    } catch (error) {
      if (error instanceof KrakenError && /^EOrder:(?:Unknown|Invalid) order$/.test(error.message))
        return null
      throw toVenueFailure(error)
    }
  }

  async orders(sinceMs: number): Promise<readonly VenueOrder[]> {
    // First the open ones: an order that closes meanwhile is then in the second list.
    const open = await this.openOrders()
    const closed = await this.closedOrders(sinceMs)
    return [...new Map([...open, ...closed].map((order) => [order.venueId, order])).values()]
  }

  async openOrders(): Promise<readonly VenueOrder[]> {
    const { open } = await this.#read(this.#calls.account('OpenOrders', {}, answers.openOrders))
    return this.#ordersIn(open)
  }

  async closedOrders(sinceMs: number): Promise<readonly VenueOrder[]> {
    const fields = { start: this.#startAt(sinceMs), closetime: 'close' }
    const rows = await this.#pages(fields, async (page) => {
      const { closed, count } = await this.#calls.account('ClosedOrders', page, answers.closedOrders, 2)
      return { rows: closed, count }
    })
    return this.#ordersIn(rows)
  }

  /**
   * The trades show cost and fee with more decimals than Kraken books, and all fees in the quote currency. So the value and the fee
   * come from the ledger.
   */
  async fills(sinceMs: number): Promise<readonly VenueFill[]> {
    const assets = await this.#assetsByPair()
    const fields = { start: this.#startAt(sinceMs) }
    const trades = await this.#pages(fields, async (page) => {
      const { trades, count } = await this.#calls.account('TradesHistory', page, answers.trades, 2)
      return { rows: trades, count }
    })
    if (Object.keys(trades).length === 0) return []
    const entries = await this.#pages({ ...fields, type: 'trade' }, async (page) => {
      const { ledger, count } = await this.#calls.account('Ledgers', page, answers.entries, 2)
      return { rows: ledger, count }
    })
    const readable = Object.values(entries).filter((entry) => entry !== null)
    const booked = Map.groupBy(readable, ({ refid }) => refid)
    const rows = Object.entries(trades).map(([tradeId, trade]) => trade && { tradeId, trade })
    const fills = readRows(this.name, rows, ({ tradeId, trade }) => {
      const asset = assets.get(trade.pair)
      // Trades against other currencies than USD are not ours. The balances show them.
      return asset === undefined ? undefined : toVenueFill(tradeId, trade, asset, booked.get(tradeId) ?? [])
    })
    return listUniqueFills(fills)
  }

  async #orderOfClient(clientId: string): Promise<VenueOrder | null> {
    const { open } = await this.#read(
      this.#calls.account('OpenOrders', { cl_ord_id: clientId }, answers.queriedOpen),
    )
    const found = (await this.#queriedIn(open)).find((order) => order.clientId === clientId)
    if (found !== undefined) return found
    const fields = { cl_ord_id: clientId }
    const { closed } = await this.#read(this.#calls.account('ClosedOrders', fields, answers.queriedClosed, 2))
    return (await this.#queriedIn(closed)).find((order) => order.clientId === clientId) ?? null
  }

  async #ordersIn(rows: Readonly<Record<string, OrderRow | null>>): Promise<VenueOrder[]> {
    const assets = await this.#assetsByPair()
    const named = Object.entries(rows).map(([venueId, row]) => row && { venueId, row })
    return readRows(this.name, named, ({ venueId, row }) => toVenueOrder(venueId, row, assets))
  }

  /** Orders that were asked for by an id. They are ours, so each must be readable. */
  async #queriedIn(rows: Readonly<Record<string, OrderRow>>): Promise<VenueOrder[]> {
    const assets = await this.#assetsByPair()
    return Object.entries(rows).map(([venueId, row]) => {
      const order = toVenueOrder(venueId, row, assets)
      if (order === undefined) throw new VenueFailure('unreadable', 'has an order of an unknown market')
      return order
    })
  }

  /** All pages of a list whose rows have ids. Pages overlap when rows are added meanwhile. */
  async #pages<Row>(
    fields: Fields,
    read: (page: Fields) => Promise<{ rows: Readonly<Record<string, Row>>; count: number }>,
  ): Promise<Record<string, Row>> {
    const found: Record<string, Row> = {}
    for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
      for (let offset = 0, count = 1; offset < count; offset += PAGE) {
        const page = await this.#read(read({ ...fields, ofs: String(offset) }))
        Object.assign(found, page.rows)
        count = page.count
        if (offset + PAGE >= count && Object.keys(found).length >= count) return found
      }
    }
    throw new VenueFailure('unreadable', 'changed a list while it was read')
  }

  /** Kraken's `start` is exclusive, in seconds. */
  #startAt(sinceMs: number): string {
    const fromMs = this.#access.clock.venueTime(sinceMs - OVERLAP_MS)
    return String(Math.max(0, Math.floor(fromMs / 1000) - 1))
  }

  #assetsByPair(): Promise<ReadonlyMap<string, string>> {
    this.#assets ??= this.#read(this.#calls.public('AssetPairs', {}, answers.assetPairs))
      .then(mapAssets)
      .catch((error) => {
        this.#assets = null
        throw error
      })
    return this.#assets
  }

  async #read<T>(call: Promise<T>): Promise<T> {
    try {
      return await call
    } catch (error) {
      throw toVenueFailure(error)
    }
  }
}

type OrderRow = z.infer<typeof answers.orderRow>

/** Undefined for a pair against another currency than USD. */
function toVenueOrder(
  venueId: string,
  { cl_ord_id, status, descr, vol_exec }: OrderRow,
  assets: ReadonlyMap<string, string>,
): VenueOrder | undefined {
  const asset = assets.get(descr.pair)
  if (asset === undefined) return undefined
  return {
    venueId,
    clientId: cl_ord_id ?? null,
    asset,
    side: descr.type,
    isOpen: status === 'open' || status === 'pending',
    filled: parseUnits(vol_exec, QUANTITY_DECIMALS),
  }
}

function toVenueFill(
  tradeId: string,
  trade: z.infer<typeof answers.tradeRow>,
  asset: string,
  entries: readonly z.infer<typeof answers.entryRow>[],
): VenueFill | undefined {
  const inUsd = entries.find((entry) => parseAsset(entry.asset) === 'usd')
  const inBase = entries.find((entry) => parseAsset(entry.asset) === asset)
  // Not booked yet: its order stays open until the trade is there.
  if (inUsd === undefined || inBase === undefined) return undefined
  // Kraken books coins with ten decimals. Rounded up, so that the books never have more coins than the account.
  const baseFee = parseUnits(inBase.fee, QUANTITY_DECIMALS, 'up')
  return {
    tradeId,
    venueId: trade.ordertxid,
    asset,
    side: trade.type,
    atMs: Math.round(trade.time * 1000),
    quantity: parseUnits(trade.vol, QUANTITY_DECIMALS),
    price: parseUnits(trade.price, PRICE_DECIMALS),
    value: Math.abs(parseUnits(inUsd.amount, QUANTITY_DECIMALS, 'nearest')),
    fee:
      baseFee > 0
        ? { asset: 'base', amount: baseFee }
        : { asset: 'usd', amount: parseUnits(inUsd.fee, QUANTITY_DECIMALS, 'nearest') },
  }
}

/** Kraken's names of two coins differ from everybody else's. */
const OWN_NAMES: readonly (readonly [asset: string, code: string])[] = [
  ['btc', 'XBT'],
  ['doge', 'XDG'],
]

/** `btc` is traded as `XBTUSD`. */
function toPairName(asset: string): string {
  return `${OWN_NAMES.find(([own]) => own === asset)?.[1] ?? asset.toUpperCase()}USD`
}

/** The codes that have a prefix. Newer ones have none: `ZETA` is a coin. */
const PREFIXED = /^(?:X(?:ETC|ETH|LTC|MLN|REP|XBT|XDG|XLM|XMR|XRP|ZEC)|Z(?:AUD|CAD|EUR|GBP|JPY|USD))$/

/** Credits that pay fees. They are no money and cannot be traded. */
const FEE_CREDITS = 'KFEE'

/**
 * `XXBT` is `btc`. So is `XBT.F`: bitcoin that earns rewards by itself is traded like any other. What was lent or staked (`XBT.M`) is not:
 * `btc.m`.
 */
function parseAsset(code: string): string {
  const [name = '', ...suffix] = code.replace(/\.F$/, '').split('.')
  const plain = PREFIXED.test(name) ? name.slice(1) : name
  const asset = OWN_NAMES.find(([, own]) => own === plain)?.[0] ?? plain.toLowerCase()
  return [asset, ...suffix.map((part) => part.toLowerCase())].join('.')
}

function mapAssets(pairs: z.infer<typeof answers.assetPairs>): ReadonlyMap<string, string> {
  return new Map(
    Object.entries(pairs).flatMap(([id, pair]) => {
      if (!pair?.altname.endsWith('USD')) return []
      const { altname, wsname } = pair
      const asset = parseAsset(altname.slice(0, -'USD'.length))
      return [id, altname, ...(wsname === undefined ? [] : [wsname])].map((name) => [name, asset] as const)
    }),
  )
}

/** `reduce_only` allows only orders that reduce a position: none for an account without one. */
function toVenueStatus(status: z.infer<typeof answers.systemStatus>['status']): VenueStatus {
  return status === 'reduce_only' ? 'cancel_only' : status
}

/** Errors after which it is certain that there is no order. */
const REFUSALS: readonly (readonly [RegExp, RefusedFor])[] = [
  [/^EOrder:Insufficient funds/, 'funds'],
  [/minimum not met|^EGeneral:Invalid arguments:volume/, 'size'],
  [/^EOrder:Invalid price|^EOrder:Tick size|^EGeneral:Invalid arguments:price/, 'price'],
  [/^EService:Market in \w+ mode/, 'market_closed'],
  [/Rate limit exceeded|Too many requests|^EOrder:Orders limit exceeded/, 'rate_limit'],
  [/^E(?:API|Auth|Account):|^EGeneral:(?:Permission denied|Temporary lockout)/, 'credentials'],
  [/^EService:Deadline elapsed|^EGeneral:Invalid arguments:(?:deadline|expiretm)/, 'deadline'],
  [/^EGeneral:Invalid arguments|^E(?:Query|Trade|BM):|^EOrder:(?!Duplicate)/, 'other'],
]

function findRefusalReason(error: KrakenError): RefusedFor | undefined {
  return REFUSALS.find(([words]) => words.test(error.message))?.[1]
}

/** The state of an order after an error. Anything but a clear refusal leaves it unknown. */
function toSubmissionResult(error: unknown): SubmissionResult {
  if (error instanceof VenueFailure)
    // A key that cannot sign sends nothing.
    return error.kind === 'rate_limit' || error.kind === 'credentials'
      ? buildRefusedResult(error.kind)
      : { state: 'unknown', message: error.message }
  if (!(error instanceof KrakenError)) throw error
  const reason = findRefusalReason(error)
  return reason === undefined
    ? { state: 'unknown', message: 'answered an error that leaves it open' }
    : buildRefusedResult(reason)
}

const FAILURES = {
  rate_limit: 'asks for fewer calls',
  credentials: 'did not accept the key',
  market_closed: 'takes no such orders now',
}

function toVenueFailure(error: unknown): unknown {
  if (!(error instanceof KrakenError)) return error
  const reason = findRefusalReason(error)
  if (reason === 'rate_limit' || reason === 'credentials' || reason === 'market_closed')
    return new VenueFailure(reason, FAILURES[reason])
  if (/^EService:/.test(error.message)) return new VenueFailure('market_closed', 'is not available')
  return new VenueFailure(reason === undefined ? 'lost' : 'refused', 'answered an error')
}
