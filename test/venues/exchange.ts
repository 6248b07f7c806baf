import { DAY_MS } from '../../src/time.ts'
import { type Amount, fixed, least, ONE, over, rounded, times, truncated } from './decimal.ts'
import type { Faults } from './faults.ts'
import type { FeeTiers, Pair } from './pairs.ts'
import { type Book, drawOf, type Level, Prices, STEP_MS } from './prices.ts'

export type Mode = 'online' | 'maintenance' | 'cancel_only' | 'post_only' | 'limit_only'

export type Side = 'buy' | 'sell'

/** What two exchanges do differently behind the same matching. */
export interface Rules {
  readonly pairs: readonly Pair[]
  readonly feeTiers: FeeTiers
  /** Decimals of an order's and a fill's cost and fee. */
  readonly costDecimals: number
  /** Decimals of each asset in the account. Kraken books a fill's cost and fee with fewer decimals than it shows. */
  readonly assetDecimals: (asset: string) => number
  readonly mostOpenOrders: number
  /** Whether a repeated client id gives the first order again, open or not. Otherwise only open orders are looked at. */
  readonly isIdempotent: boolean
  /** Whether a post-only order that would match is refused. Otherwise it is accepted and cancelled at once. */
  readonly refusesCrossing: boolean
  /** Whether a fee may be in the coin that is traded. */
  readonly hasFeesInCoins: boolean
  newId(kind: 'order' | 'trade' | 'entry'): string
}

/** Why an order is not accepted. Each protocol has its own words. */
export type Refusal =
  | 'unknown_pair'
  | 'price_precision'
  | 'size_precision'
  | 'size_too_small'
  | 'cost_too_small'
  | 'insufficient_funds'
  | 'would_match'
  | 'duplicate'
  | 'expired'
  | 'too_many_orders'
  | 'deadline'
  | Exclude<Mode, 'online'>

export interface NewOrder {
  readonly pair: string
  readonly side: Side
  /** Null for a market order. */
  readonly limit: Amount | null
  readonly size: Amount
  /** Whether the size is in the quote currency: only market orders. */
  readonly isSizeInQuote: boolean
  readonly timeInForce: 'gtc' | 'ioc' | 'gtd' | 'fok'
  readonly isPostOnly: boolean
  readonly feeIn: 'base' | 'quote'
  readonly clientId: string | null
  readonly expiresAt: number | null
  /** When the order must have arrived. */
  readonly deadline: number | null
}

export interface Order extends NewOrder {
  readonly id: string
  readonly account: Account
  readonly market: Pair
  readonly openedAt: number
  readonly visibleAt: number
  readonly trades: Trade[]
  state: 'open' | 'filled' | 'cancelled' | 'expired'
  closedAt: number | null
  reason: string | null
  filled: Amount
  cost: Amount
  fee: Amount
  /** A cancellation on its way takes effect at this time. */
  cancelsAt: number | null
}

export interface Trade {
  readonly id: string
  readonly number: number
  readonly order: Order
  readonly price: Amount
  readonly size: Amount
  readonly cost: Amount
  /** In the quote currency, also where it was taken in the base currency. */
  readonly fee: Amount
  readonly isMaker: boolean
  readonly at: number
  readonly visibleAt: number
}

/** A change of one asset of an account. */
export interface Entry {
  readonly id: string
  readonly tradeId: string
  readonly asset: string
  /** Before the fee. */
  readonly amount: Amount
  readonly fee: Amount
  readonly balance: Amount
  readonly at: number
  readonly visibleAt: number
}

export interface Account {
  readonly balances: Map<string, Amount>
  readonly orders: Order[]
  readonly trades: Trade[]
  readonly entries: Entry[]
}

const MONTH_MS = 30 * DAY_MS
/** A jump of the clock is followed in at most this many steps. */
const MOST_STEPS = 600
const WINDOW_MS = 5 * 60_000
/** How far after its time a fill can appear. */
const LATE_FILL_MS = 120_000
const INVISIBLE_MS = 30 * 60_000

/** The accounts and the matching behind both protocols. All times are the exchange's own, in milliseconds. */
export class Exchange {
  readonly rules: Rules
  readonly prices: Prices
  readonly faults: Faults
  /** A mode that was set by hand. Null leaves it to the faults. */
  forcedMode: Mode | null = null
  readonly #seed: number
  readonly #clock: () => number
  readonly #pairs: ReadonlyMap<string, Pair>
  /** In the order in which they were opened. */
  readonly accounts: Account[] = []
  /** Requests that have not arrived yet. */
  readonly #underWay: { readonly at: number; readonly arrive: () => void }[] = []
  #now: number
  #settledStep: number
  #tradeNumber = 1_000_000
  /** What was taken from the present book, by pair, side and price. */
  readonly #taken = new Map<string, Amount>()
  #takenStep = 0
  #window = -1

  constructor(rules: Rules, { seed, clock, faults }: { seed: number; clock: () => number; faults: Faults }) {
    this.rules = rules
    this.prices = new Prices(seed)
    this.faults = faults
    this.#seed = seed
    this.#clock = clock
    this.#pairs = new Map(rules.pairs.map((pair) => [pair.symbol, pair]))
    this.#now = clock()
    this.#settledStep = Math.floor(this.#now / STEP_MS)
  }

  /** The time of the last `settle`. */
  get now(): number {
    return this.#now
  }

  openAccount(): Account {
    const balances = new Map([
      ['USD', 100_000n * ONE],
      ['BTC', ONE],
      ['ETH', 10n * ONE],
    ])
    const account: Account = { balances, orders: [], trades: [], entries: [] }
    this.accounts.push(account)
    return account
  }

  pair(symbol: string): Pair | undefined {
    return this.#pairs.get(symbol)
  }

  mode(): Mode {
    if (this.forcedMode !== null) return this.forcedMode
    const window = Math.floor(this.#now / WINDOW_MS)
    const possible = (['maintenance', 'cancel-only', 'post-only', 'limit-only'] as const).filter((fault) =>
      this.faults.on.has(fault),
    )
    const fault = possible[Math.floor(drawOf(this.#seed, 'which mode', window) * possible.length)]
    if (fault === undefined || drawOf(this.#seed, 'mode', window) >= this.faults.likelihood) return 'online'
    if (this.#window !== window) {
      this.#window = window
      this.faults.counts[fault]++
    }
    return fault === 'maintenance' ? 'maintenance' : (fault.replace('-', '_') as Mode)
  }

  /** Lets something happen at a later time. */
  later(at: number, arrive: () => void): void {
    this.#underWay.push({ at, arrive })
    this.#underWay.sort((a, b) => a.at - b.at)
  }

  /** Carries out everything that was due since the last call: late requests, fills, expiries and cancellations. */
  settle(): void {
    const until = Math.max(this.#now, this.#clock())
    const lastStep = Math.floor(until / STEP_MS)
    const stride = Math.max(1, Math.ceil((lastStep - this.#settledStep) / MOST_STEPS))
    for (let step = this.#settledStep + 1; step <= lastStep && this.#hasWork(); step += stride) {
      this.#arriveUntil(step * STEP_MS)
      this.#now = Math.max(this.#now, step * STEP_MS)
      this.#closeDue()
      if (this.#matches()) for (const order of this.#openOrders()) this.#fillResting(order)
    }
    this.#settledStep = lastStep
    this.#arriveUntil(until)
    this.#now = until
    this.#closeDue()
  }

  /** The book of others with what this venue's accounts took from it and added to it. */
  book(pair: Pair): Book {
    const { bids, asks } = this.prices.book(pair, this.#now)
    const open = this.#openOrders().filter(({ market, limit }) => market === pair && limit !== null)
    const merge = (levels: readonly Level[], side: Side): Level[] => {
      const sizes = new Map<Amount, Amount>()
      const add = (price: Amount, size: Amount) => sizes.set(price, (sizes.get(price) ?? 0n) + size)
      for (const { price, size } of this.#available(pair, side === 'buy' ? 'sell' : 'buy', levels))
        add(price, size)
      for (const order of open) if (order.side === side) add(order.limit ?? 0n, order.size - order.filled)
      return [...sizes]
        .map(([price, size]) => ({ price, size }))
        .toSorted((a, b) => Number(side === 'buy' ? b.price - a.price : a.price - b.price))
    }
    return { bids: merge(bids, 'buy'), asks: merge(asks, 'sell') }
  }

  /** Places an order, or says why not. `dryRun` only checks. */
  place(account: Account, wanted: NewOrder, dryRun = false): Order | Refusal {
    const checked = this.#check(account, wanted)
    if (typeof checked === 'string') return checked
    if ('id' in checked) return checked
    const order: Order = {
      ...wanted,
      id: this.rules.newId('order'),
      account,
      market: checked,
      openedAt: this.#now,
      visibleAt: this.faults.strikes('invisible')
        ? this.#now + this.faults.between(1000, INVISIBLE_MS)
        : this.#now,
      trades: [],
      state: 'open',
      closedAt: null,
      reason: null,
      filled: 0n,
      cost: 0n,
      fee: 0n,
      cancelsAt: null,
    }
    if (dryRun) return order
    account.orders.push(order)
    if (wanted.isPostOnly && this.#crosses(checked, wanted))
      this.#close(order, 'cancelled', 'Post only order')
    else if (this.#matches()) this.#take(order)
    if (order.state === 'open' && order.timeInForce !== 'gtc' && order.timeInForce !== 'gtd')
      this.#close(order, 'cancelled', 'Unfilled part of an order that does not rest')
    return order
  }

  /**
   * Cancels an open order. Returns `pending` if the cancellation takes effect later, and `too_late` if the order closed before it
   * arrived.
   */
  cancel(order: Order): 'cancelled' | 'pending' | 'too_late' {
    if (order.state !== 'open') return 'too_late'
    if (this.#matches() && this.faults.strikes('cancel-races')) {
      if (this.faults.between(0, 1) === 0) {
        order.cancelsAt = this.#now + this.faults.between(1000, 20_000)
        return 'pending'
      }
      // Somebody trades with it first.
      const open = order.size - order.filled
      const part = this.faults.between(0, 1) === 0 ? open : rounded(open / 2n, order.market.sizeDecimals)
      if (order.limit !== null && part > 0n) this.#fill(order, { price: order.limit, size: part }, true)
      if (order.size === order.filled) return 'too_late'
    }
    this.#close(order, 'cancelled', 'User requested')
    return 'cancelled'
  }

  /** The lists at this time. */
  visible<T extends { readonly visibleAt: number }>(rows: readonly T[]): T[] {
    return rows.filter(({ visibleAt }) => visibleAt <= this.#now)
  }

  /** What the account shows of each asset: without the changes and holds that are not visible yet. */
  shown(account: Account): Map<string, { readonly total: Amount; readonly held: Amount }> {
    const totals = new Map(account.balances)
    for (const { asset, amount, fee, visibleAt } of account.entries)
      if (visibleAt > this.#now) totals.set(asset, (totals.get(asset) ?? 0n) - amount + fee)
    const held = this.#held(account, this.visible(account.orders))
    return new Map([...totals].map(([asset, total]) => [asset, { total, held: held.get(asset) ?? 0n }]))
  }

  /** The volume of the last 30 days in USD, and the tier that it reaches. */
  tier(account: Account): {
    readonly volume: Amount
    readonly tier: FeeTiers[number]
    readonly rank: number
  } {
    let volume = 0n
    for (const trade of account.trades) if (trade.at > this.#now - MONTH_MS) volume += trade.cost
    const reached = this.rules.feeTiers.filter(({ from }) => from <= volume)
    const tier = reached.at(-1) ?? this.rules.feeTiers[0]
    if (tier === undefined) throw new Error('unreachable: there are fee tiers')
    return { volume, tier, rank: reached.length }
  }

  #check(account: Account, wanted: NewOrder): Pair | Refusal | Order {
    const pair = this.pair(wanted.pair)
    if (pair === undefined) return 'unknown_pair'
    if (wanted.deadline !== null && this.#now > wanted.deadline) return 'deadline'
    if (wanted.clientId !== null) {
      const same = account.orders.filter(({ clientId }) => clientId === wanted.clientId)
      if (this.rules.isIdempotent && same[0] !== undefined) return same[0]
      if (this.visible(same).some(({ state }) => state === 'open')) return 'duplicate'
    }
    const mode = this.mode()
    if (mode === 'maintenance' || mode === 'cancel_only') return mode
    if (mode === 'post_only' && !wanted.isPostOnly) return mode
    if (mode === 'limit_only' && wanted.limit === null) return mode
    if (wanted.limit !== null && truncated(wanted.limit, pair.priceDecimals) !== wanted.limit)
      return 'price_precision'
    const sizeDecimals = wanted.isSizeInQuote ? this.rules.costDecimals : pair.sizeDecimals
    if (truncated(wanted.size, sizeDecimals) !== wanted.size) return 'size_precision'
    if (wanted.expiresAt !== null && wanted.expiresAt <= this.#now) return 'expired'
    const price = wanted.limit ?? this.#touch(pair, wanted.side)
    const size = wanted.isSizeInQuote ? over(wanted.size, price) : wanted.size
    if (size < pair.leastSize) return 'size_too_small'
    if (times(size, price) < pair.leastCost) return 'cost_too_small'
    if (wanted.isPostOnly && this.rules.refusesCrossing && this.#crosses(pair, wanted)) return 'would_match'
    const open = account.orders.filter(({ state, market }) => state === 'open' && market === pair)
    if (open.length >= this.rules.mostOpenOrders) return 'too_many_orders'
    return this.#affords(account, pair, wanted) ? pair : 'insufficient_funds'
  }

  #affords(account: Account, pair: Pair, wanted: NewOrder): boolean {
    const held = this.#held(account, account.orders)
    const free = (asset: string) => (account.balances.get(asset) ?? 0n) - (held.get(asset) ?? 0n)
    if (wanted.side === 'sell') return (wanted.isSizeInQuote ? 0n : wanted.size) <= free(pair.base)
    const { taker } = this.tier(account).tier
    if (wanted.isSizeInQuote) return wanted.size <= free(pair.quote)
    let cost = wanted.limit === null ? 0n : times(wanted.limit, wanted.size)
    if (wanted.limit === null) {
      let open = wanted.size
      for (const { price, size } of this.#offers(pair, 'buy')) {
        const part = least(open, size)
        cost += times(price, part)
        open -= part
      }
    }
    return cost + times(cost, taker) <= free(pair.quote)
  }

  /** What open orders set aside: the size of a sale, the cost of a purchase at its limit with the taker's fee. */
  #held(account: Account, orders: readonly Order[]): Map<string, Amount> {
    const held = new Map<string, Amount>()
    const { taker } = this.tier(account).tier
    const add = (asset: string, amount: Amount) => held.set(asset, (held.get(asset) ?? 0n) + amount)
    for (const order of orders) {
      if (order.state !== 'open') continue
      const open = order.size - order.filled
      if (order.side === 'sell') {
        add(order.market.base, open)
        continue
      }
      const cost = times(open, order.limit ?? 0n)
      add(
        order.market.quote,
        rounded(cost + times(cost, taker), this.rules.assetDecimals(order.market.quote)),
      )
    }
    return held
  }

  /** Matches a new order with the book of others. */
  #take(order: Order): void {
    const { limit, side, market } = order
    const offers = this.#offers(market, side).filter(
      ({ price }) => limit === null || (side === 'buy' ? price <= limit : price >= limit),
    )
    const total = offers.reduce((sum, { size }) => sum + size, 0n)
    if (order.timeInForce === 'fok' && total < order.size) return
    for (const offer of offers) {
      const open = order.isSizeInQuote
        ? truncated(over(this.#quoteLeft(order), offer.price), market.sizeDecimals)
        : order.size - order.filled
      const size = least(open, offer.size)
      if (size <= 0n) break
      const key = `${market.symbol}/${side}/${offer.price}`
      this.#taken.set(key, (this.#taken.get(key) ?? 0n) + size)
      this.#fill(order, { price: offer.price, size }, false)
      if (order.state !== 'open') return
    }
    if (order.isSizeInQuote && order.filled > 0n) this.#close(order, 'filled', null)
  }

  /** The quote currency that an order by cost has left, with its fee within it for a purchase. */
  #quoteLeft(order: Order): Amount {
    if (order.side === 'sell') return order.size - order.cost
    return over(order.size - order.cost - order.fee, ONE + this.tier(order.account).tier.taker)
  }

  /** A resting order fills when the price of others reaches it: in parts, because others stand in the queue before it. */
  #fillResting(order: Order): void {
    const { limit, side, market } = order
    if (limit === null) return
    const { bid, ask } = this.prices.touch(market, this.#now)
    if (side === 'buy' ? ask > limit : bid < limit) return
    const { bids, asks } = this.prices.book(market, this.#now)
    const through = (side === 'buy' ? asks : bids).filter(({ price }) =>
      side === 'buy' ? price <= limit : price >= limit,
    )
    const reach = through.reduce((sum, { size }) => sum + size, 0n)
    const size = truncated(least(reach / 2n, order.size - order.filled), market.sizeDecimals)
    if (size > 0n) this.#fill(order, { price: limit, size }, true)
  }

  #fill(order: Order, { price, size }: Level, isMaker: boolean): void {
    const { account, market, side } = order
    const { costDecimals, assetDecimals } = this.rules
    const { tier } = this.tier(account)
    const rate = isMaker ? tier.maker : tier.taker
    const cost = rounded(times(price, size), costDecimals)
    const fee = rounded(times(cost, rate), costDecimals)
    const lag = this.faults.strikes('late-fills') ? this.faults.between(500, LATE_FILL_MS) : 0
    const trade: Trade = {
      id: this.rules.newId('trade'),
      number: ++this.#tradeNumber,
      order,
      price,
      size,
      cost,
      fee,
      isMaker,
      at: this.#now,
      visibleAt: Math.max(order.visibleAt, this.#now + lag),
    }
    order.trades.push(trade)
    account.trades.push(trade)
    order.filled += size
    order.cost += cost
    order.fee += fee
    const sign = side === 'buy' ? 1n : -1n
    const inBase = order.feeIn === 'base' || (this.rules.hasFeesInCoins && this.faults.strikes('coin-fees'))
    const book = (asset: string, amount: Amount, fee: Amount) =>
      this.#book(trade, asset, amount, rounded(fee, assetDecimals(asset)))
    book(market.base, sign * size, inBase ? times(size, rate) : 0n)
    book(market.quote, -sign * rounded(cost, assetDecimals(market.quote)), inBase ? 0n : fee)
    if (!order.isSizeInQuote && order.filled === order.size) this.#close(order, 'filled', null)
  }

  #book({ id, at, visibleAt, order }: Trade, asset: string, amount: Amount, fee: Amount): void {
    const { balances, entries } = order.account
    const balance = (balances.get(asset) ?? 0n) + amount - fee
    balances.set(asset, balance)
    entries.push({ id: this.rules.newId('entry'), tradeId: id, asset, amount, fee, balance, at, visibleAt })
  }

  #close(order: Order, state: 'filled' | 'cancelled' | 'expired', reason: string | null): void {
    order.state = state
    order.closedAt = this.#now
    order.reason = reason
  }

  #closeDue(): void {
    for (const order of this.#openOrders()) {
      if (order.expiresAt !== null && order.expiresAt <= this.#now)
        this.#close(order, 'expired', 'Order expired')
      else if (order.cancelsAt !== null && order.cancelsAt <= this.#now)
        this.#close(order, 'cancelled', 'User requested')
    }
  }

  #arriveUntil(time: number): void {
    for (let next = this.#underWay[0]; next !== undefined && next.at <= time; next = this.#underWay[0]) {
      this.#underWay.shift()
      this.#now = Math.max(this.#now, next.at)
      next.arrive()
    }
  }

  #hasWork(): boolean {
    return (
      this.#underWay.length > 0 ||
      this.accounts.some(({ orders }) => orders.some(({ state }) => state === 'open'))
    )
  }

  #openOrders(): Order[] {
    return this.accounts.flatMap(({ orders }) => orders.filter(({ state }) => state === 'open'))
  }

  #matches(): boolean {
    const mode = this.mode()
    return mode === 'online' || mode === 'limit_only'
  }

  #crosses(pair: Pair, { limit, side }: NewOrder): boolean {
    const touch = this.#touch(pair, side)
    return limit === null || (side === 'buy' ? limit >= touch : limit <= touch)
  }

  /** The best price for somebody who buys or sells now. */
  #touch(pair: Pair, side: Side): Amount {
    const { bid, ask } = this.prices.touch(pair, this.#now)
    return side === 'buy' ? ask : bid
  }

  /** What can be bought or sold now. */
  #offers(pair: Pair, side: Side): readonly Level[] {
    const { bids, asks } = this.prices.book(pair, this.#now)
    return this.#available(pair, side, side === 'buy' ? asks : bids)
  }

  #available(pair: Pair, taker: Side, levels: readonly Level[]): readonly Level[] {
    const step = Math.floor(this.#now / STEP_MS)
    if (step !== this.#takenStep) {
      this.#taken.clear()
      this.#takenStep = step
    }
    return levels
      .map(({ price, size }) => ({
        price,
        size: size - (this.#taken.get(`${pair.symbol}/${taker}/${price}`) ?? 0n),
      }))
      .filter(({ size }) => size > 0n)
  }
}

/** An average price of what an order filled, truncated. */
export function averagePrice({ cost, filled }: Order, decimals: number): string {
  return filled === 0n ? fixed(0n, decimals) : fixed(over(cost, filled), decimals)
}
