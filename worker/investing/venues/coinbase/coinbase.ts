import type * as z from 'zod/mini'
import { DAY_MS } from '../../../../src/time.ts'
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
import {
  computeQuantity,
  computeValue,
  FEE_DECIMALS,
  formatUnits,
  PRICE_DECIMALS,
  parseUnits,
  QUANTITY_DECIMALS,
} from '../units.ts'
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
import { CoinbaseCalls, createCoinbaseBudgets, isNotFound, isUnavailable, type Query } from './calls.ts'

/** The address of Coinbase's Advanced Trade API. */
export const COINBASE = 'https://api.coinbase.com'

const PAGE = 250
/** A list has far fewer pages. It guards against a cursor that leads nowhere. */
const MOST_PAGES = 200
/** How far back an order is looked for by its client's id. */
const SEARCH_MS = 3 * DAY_MS
/** An order may rest longer than this. Its closing is then found under the day when it was placed. */
const LONGEST_ORDER_MS = 7 * DAY_MS

/** Coinbase's Advanced Trade API (https://docs.cdp.coinbase.com/api-reference/advanced-trade-api). */
export class Coinbase implements VenueClient {
  readonly name = 'coinbase'
  readonly #access: Access
  readonly #calls: CoinbaseCalls
  /** The portfolio of the key, once it was asked for. */
  #portfolio: string | null = null

  constructor(access: Access, budgets: Budgets = createCoinbaseBudgets()) {
    this.#access = access
    this.#calls = new CoinbaseCalls(access, budgets)
  }

  async permissions(): Promise<Permissions> {
    const { can_view, can_trade, can_transfer } = await this.#keyPermissions()
    const missing = [...(can_view ? [] : ['view']), ...(can_trade ? [] : ['trade'])]
    return { missing, withdraw: can_transfer }
  }

  time(): Promise<number> {
    return this.#calls.time()
  }

  /** There is no mode of the whole venue: without an asset it is the mode of its largest market. */
  async status(asset = 'btc'): Promise<VenueStatus> {
    try {
      const product = await this.#calls.market(`/products/${toProductId(asset)}`, [], answers.product)
      if (product.is_disabled || product.trading_disabled) return 'maintenance'
      if (product.cancel_only) return 'cancel_only'
      if (product.post_only) return 'post_only'
      return product.limit_only ? 'limit_only' : 'online'
    } catch (error) {
      if (isUnavailable(error)) return 'maintenance'
      throw error
    }
  }

  async markets(assets: readonly string[]): Promise<readonly VenueMarket[]> {
    const query: Query = [
      ['product_type', 'SPOT'],
      ...assets.map((asset) => ['product_ids', toProductId(asset)] as const),
    ]
    const { products } = await this.#calls.market('/products', query, answers.products)
    const wanted = assets.flatMap((asset) => {
      const product = products.find((productRow) => productRow?.product_id === toProductId(asset))
      return product ? [{ asset, product }] : []
    })
    return readRows(
      this.name,
      wanted,
      ({ asset, product }): VenueMarket => ({
        asset,
        leastQuantity: parseUnits(product.base_min_size, QUANTITY_DECIMALS),
        leastValue: parseUnits(product.quote_min_size, QUANTITY_DECIMALS),
        quantityStep: Math.max(1, parseUnits(product.base_increment, QUANTITY_DECIMALS)),
        priceStep: parseUnits(product.price_increment ?? product.quote_increment, PRICE_DECIMALS),
      }),
    )
  }

  /** Coinbase charges the same in all spot markets against USD. */
  async takerFee(): Promise<number> {
    const query: Query = [['product_type', 'SPOT']]
    const { fee_tier } = await this.#calls.account('/transaction_summary', query, answers.transactionSummary)
    return parseUnits(fee_tier.taker_fee_rate, FEE_DECIMALS, 'up')
  }

  async book(asset: string): Promise<TopOfBook> {
    const query: Query = [
      ['product_id', toProductId(asset)],
      ['limit', '1'],
    ]
    const { pricebook } = await this.#calls.market('/product_book', query, answers.productBook)
    const parseBestPrice = ([level]: readonly { readonly price: string }[]) =>
      level === undefined ? null : parseUnits(level.price, PRICE_DECIMALS)
    return { bid: parseBestPrice(pricebook.bids), ask: parseBestPrice(pricebook.asks) }
  }

  async balances(): Promise<ReadonlyMap<string, number>> {
    const portfolio = this.#portfolio ?? (await this.#keyPermissions()).portfolio_uuid
    const rows = await this.#pages('/accounts', [], async (query) => {
      const { accounts, ...page } = await this.#calls.account('/accounts', query, answers.accounts)
      return { rows: accounts, ...page }
    })
    return sumBalances(readRows(this.name, rows, (row) => toBalance(row, portfolio)))
  }

  /** Coinbase gives the first order again if a client's id is repeated. */
  async submit(order: ClientOrder): Promise<SubmissionResult> {
    const { clock } = this.#access
    try {
      await clock.ready(() => this.time())
    } catch (error) {
      return buildUnsentResult(error)
    }
    if (order.expiresAt <= runtime.now()) return buildRefusedResult('deadline')
    const terms = {
      base_size: formatUnits(order.quantity, QUANTITY_DECIMALS),
      limit_price: formatUnits(order.limitPrice, PRICE_DECIMALS),
    }
    const end_time = new Date(clock.venueTime(order.expiresAt)).toISOString()
    const body = {
      client_order_id: order.clientId,
      product_id: toProductId(order.asset),
      side: order.side === 'buy' ? 'BUY' : 'SELL',
      order_configuration:
        order.timeInForce === 'ioc'
          ? { sor_limit_ioc: terms }
          : { limit_limit_gtd: { ...terms, end_time, post_only: false } },
    }
    try {
      const answer = await this.#calls.trading('/orders', body, answers.created)
      if (answer.success) return { state: 'accepted', venueId: answer.success_response.order_id }
      const { error, new_order_failure_reason, preview_failure_reason } = answer.error_response
      return buildRefusedResult(
        findReason([error, new_order_failure_reason, preview_failure_reason].join(' ')),
      )
    } catch (error) {
      if (!(error instanceof VenueFailure)) throw error
      const reason = REFUSING[error.kind]
      return reason === undefined ? { state: 'unknown', message: error.message } : buildRefusedResult(reason)
    }
  }

  async cancel(venueId: string): Promise<void> {
    const { results } = await this.#calls.trading(
      '/orders/batch_cancel',
      { order_ids: [venueId] },
      answers.cancelled,
    )
    if (!results.some(({ order_id }) => order_id === venueId))
      throw new VenueFailure('unreadable', 'did not say what became of a cancellation')
  }

  async order(id: string): Promise<VenueOrder | null> {
    try {
      const { order } = await this.#calls.account(
        `/orders/historical/${encodeURIComponent(id)}`,
        [],
        answers.order,
      )
      return toVenueOrder(order) ?? null
    } catch (error) {
      if (!isNotFound(error)) throw error
    }
    // Both ids are UUIDs. There is no filter for the client's.
    const rows = await this.#orderRows([['start_date', this.#isoAt(runtime.now() - SEARCH_MS)]])
    // One of those that cannot be read may be the order.
    if (rows.includes(null)) throw new VenueFailure('unreadable', 'lists an order in an unknown form')
    return (
      rows.flatMap((row) => (row && toVenueOrder(row)) ?? []).find(({ clientId }) => clientId === id) ?? null
    )
  }

  async orders(sinceMs: number): Promise<readonly VenueOrder[]> {
    // First the open ones: an order that closes meanwhile is then in the second list.
    const open = await this.openOrders()
    const closed = await this.closedOrders(sinceMs)
    return [...new Map([...open, ...closed].map((order) => [order.venueId, order])).values()]
  }

  openOrders(): Promise<readonly VenueOrder[]> {
    return this.#list([['order_status', 'OPEN']])
  }

  /** Coinbase filters by when an order was placed, so orders that were closed before may be among them. */
  async closedOrders(sinceMs: number): Promise<readonly VenueOrder[]> {
    const orders = await this.#list([['start_date', this.#isoAt(sinceMs - LONGEST_ORDER_MS)]])
    return orders.filter(({ isOpen }) => !isOpen)
  }

  async fills(sinceMs: number): Promise<readonly VenueFill[]> {
    const start: Query = [['start_sequence_timestamp', this.#isoAt(sinceMs - OVERLAP_MS)]]
    const rows = await this.#pages('/orders/historical/fills', start, async (query) => {
      const { fills, ...page } = await this.#calls.account('/orders/historical/fills', query, answers.fills)
      return { rows: fills, ...page }
    })
    return listUniqueFills(readRows(this.name, rows, toVenueFill))
  }

  async #keyPermissions() {
    const permissions = await this.#calls.account('/key_permissions', [], answers.keyPermissions)
    this.#portfolio = permissions.portfolio_uuid
    return permissions
  }

  #orderRows(query: Query) {
    const path = '/orders/historical/batch'
    return this.#pages(path, query, async (part) => {
      const { orders, ...page } = await this.#calls.account(path, part, answers.orders)
      return { rows: orders, ...page }
    })
  }

  async #list(query: Query): Promise<readonly VenueOrder[]> {
    const orders = readRows(this.name, await this.#orderRows(query), toVenueOrder)
    return [...new Map(orders.map((order) => [order.venueId, order])).values()]
  }

  /** All pages of a list. Throws if some of it is hidden: an order that is missing in a complete list would be sent again. */
  async #pages<Row>(
    path: string,
    query: Query,
    read: (page: Query) => Promise<Page<Row>>,
  ): Promise<readonly Row[]> {
    const rows: Row[] = []
    let next: Query = []
    for (let page = 0; page < MOST_PAGES; page++) {
      const answer = await read([...query, ['limit', String(PAGE)], ...next])
      if (answer.proof_token_required)
        throw new VenueFailure(
          'unreadable',
          'hides a part of a list until the owner of the account proves who they are',
        )
      rows.push(...answer.rows)
      const { cursor = '', has_next: hasNext = cursor !== '' } = answer
      if (!hasNext) return rows
      if (cursor === '') break
      next = [['cursor', cursor]]
    }
    throw new VenueFailure('unreadable', `has no end of ${path}`)
  }

  #isoAt(ownMs: number): string {
    return new Date(Math.max(0, this.#access.clock.venueTime(ownMs))).toISOString()
  }
}

/** A page of a list, with what Coinbase says about the rest. */
interface Page<Row> {
  readonly rows: readonly Row[]
  readonly cursor?: string | undefined
  readonly has_next?: boolean | undefined
  readonly proof_token_required?: boolean | undefined
}

/** `btc` is traded as `BTC-USD`. */
function toProductId(asset: string): string {
  return `${asset.toUpperCase()}-USD`
}

/** Undefined for a product against another currency. The balances show the effect of its orders. */
function parseAsset(product: string): string | undefined {
  return /^([A-Z0-9]+)-USD$/.exec(product)?.[1]?.toLowerCase()
}

const OPEN = new Set(['PENDING', 'OPEN', 'QUEUED', 'CANCEL_QUEUED', 'EDIT_QUEUED', 'UNKNOWN_ORDER_STATUS'])

function toVenueOrder(row: z.infer<typeof answers.orderRow>): VenueOrder | undefined {
  const asset = parseAsset(row.product_id)
  if (asset === undefined) return undefined
  return {
    venueId: row.order_id,
    clientId: row.client_order_id ?? null,
    asset,
    side: row.side === 'BUY' ? 'buy' : 'sell',
    isOpen: OPEN.has(row.status),
    filled: parseUnits(row.filled_size, QUANTITY_DECIMALS),
  }
}

/** Undefined for a vault, and for an account of another portfolio than the key's: orders cannot use them. */
function toBalance(row: z.infer<typeof answers.accountRow>, portfolio: string) {
  const isOther = (row.retail_portfolio_id || portfolio) !== portfolio
  if (isOther || row.type === 'ACCOUNT_TYPE_VAULT') return undefined
  const [available, held] = [row.available_balance, row.hold].map(({ value }) =>
    parseUnits(value, QUANTITY_DECIMALS),
  )
  return [row.currency.toLowerCase(), (available ?? 0) + (held ?? 0)] as const
}

/** Undefined for a trade against another currency, and for a reversal or a correction of an earlier one: the balances show them. */
function toVenueFill(row: z.infer<typeof answers.fillRow>): VenueFill | undefined {
  const asset = parseAsset(row.product_id)
  if (asset === undefined || row.trade_type !== 'FILL') return undefined
  const price = parseUnits(row.price, PRICE_DECIMALS)
  const size = parseUnits(row.size, QUANTITY_DECIMALS)
  // Orders by cost are placed by people. Ours have a quantity.
  const quantity = row.size_in_quote ? computeQuantity(size, price) : size
  return {
    tradeId: row.trade_id,
    venueId: row.order_id,
    asset,
    side: row.side === 'BUY' ? 'buy' : 'sell',
    atMs: Date.parse(row.trade_time),
    quantity,
    price,
    value: row.size_in_quote ? size : computeValue(quantity, price),
    fee: { asset: 'usd', amount: parseUnits(row.commission, QUANTITY_DECIMALS, 'nearest') },
  }
}

/** The failures after which it is certain that there is no order. */
const REFUSING: Readonly<Record<VenueFailure['kind'], RefusedFor | undefined>> = {
  credentials: 'credentials',
  rate_limit: 'rate_limit',
  refused: 'other',
  market_closed: 'market_closed',
  lost: undefined,
  unreadable: undefined,
}

const REASONS: readonly (readonly [RegExp, RefusedFor])[] = [
  [/INSUFFICIENT_FUND|LEDGER_BALANCE/, 'funds'],
  [/SIZE_TOO_SMALL|SIZE_TOO_LARGE|SIZE_PRECISION/, 'size'],
  [/PRICE/, 'price'],
  [/ORDER_ENTRY_DISABLED|MARKET_STATE|TRADING_DISABLED|TRADING_HALTED|UNTRADABLE_PRODUCT/, 'market_closed'],
  [/END_TIME/, 'deadline'],
]

function findReason(words: string): RefusedFor {
  return REASONS.find(([pattern]) => pattern.test(words))?.[1] ?? 'other'
}
