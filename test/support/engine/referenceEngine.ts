/** A second, slow implementation with plain arrays. A day without a bar is null. */
export interface ReferenceBar {
  readonly open: number
  readonly high: number
  readonly low: number
  readonly close: number
  /** The first bar of another venue. */
  readonly isSeam?: boolean
}

export interface ReferenceFill {
  readonly bar: number
  readonly asset: number
  readonly side: 'buy' | 'sell'
  readonly units: number
  readonly price: number
  readonly fee: number
  readonly slippage: number
}

/** The information that a rule has at a close. */
export interface ReferencePast {
  /** Counts from 0 at the market's first day. */
  readonly day: number
  /** The number of bars that each asset has had. */
  readonly bars: readonly (readonly ReferenceBar[])[]
  /** The last days, ending with today. Null for an asset without a bar. */
  readonly days: readonly (readonly (ReferenceBar | null)[])[]
  /** The assets that have had as many bars as the warm-up takes. */
  readonly joined: readonly boolean[]
  readonly worth: number
  readonly shares: readonly number[]
}

export interface ReferenceWish {
  /** Null: no trade. */
  readonly shares: readonly number[] | null
  readonly stops?: readonly (number | null)[]
  readonly targets?: readonly (number | null)[]
}

export interface ReferenceRules {
  readonly warmUp: number
  readonly wish: (past: ReferencePast) => ReferenceWish
  readonly cash: number
  readonly feePercent: number
  readonly slippagePercent: number
  readonly worstFallPercent?: number
  /** How long it waits after that fall. Without it, it never trades again. */
  readonly pauseDays?: number
  /** The largest share of one asset after a purchase. */
  readonly largestPercent?: number
}

export interface ReferenceResult {
  readonly equity: readonly number[]
  readonly fills: readonly ReferenceFill[]
  readonly drawdown: number
  readonly costs: number
}

export function plainRun(
  market: readonly (readonly (ReferenceBar | null)[])[],
  rules: ReferenceRules,
): ReferenceResult {
  const days = market[0]?.length ?? 0
  const fills: ReferenceFill[] = []
  const equity: number[] = []
  const held: Holdings = { cash: rules.cash, units: market.map(() => 0) }
  const bars: ReferenceBar[][] = market.map(() => [])
  const book = (made: readonly ReferenceFill[]) => {
    for (const fill of made) {
      settle(held, fill)
      fills.push(fill)
    }
  }
  let wish: ReferenceWish = { shares: null }
  let isOver = false
  let waitsUntil: number | null = null
  /** The closes that the fall is measured from: all of them, or those since the last wait. */
  let measured = { from: 0, cash: rules.cash }
  for (let day = 0; day < days; day++) {
    const today = market.map((asset) => asset[day] ?? null)
    if (day >= rules.warmUp) {
      const opens = today.map((bar, asset) => bar?.open ?? bars[asset]?.at(-1)?.close ?? 0)
      if (wish.shares !== null) book(trades(day, today, opens, wish.shares, held, rules))
      book(exits(today, day, wish, held, rules))
    }
    today.forEach((bar, asset) => {
      if (bar !== null) bars[asset]?.push(bar)
    })
    const closes = bars.map((own) => own.at(-1)?.close ?? 0)
    const total = worth(held, closes)
    if (day >= rules.warmUp) equity.push(total)
    if (isOver) {
      wish = { shares: held.units.some((units) => units > 0) ? market.map(() => 0) : null }
      continue
    }
    if (waitsUntil !== null) {
      const isHolding = held.units.some((units) => units > 0)
      if (day < waitsUntil || isHolding) {
        wish = { shares: isHolding ? market.map(() => 0) : null }
        continue
      }
      waitsUntil = null
      measured = { from: equity.length, cash: total }
    }
    const fallen = fall(equity.slice(measured.from), measured.cash)
    if (rules.worstFallPercent !== undefined && fallen <= -rules.worstFallPercent / 100) {
      if (rules.pauseDays === undefined) isOver = true
      else waitsUntil = day + rules.pauseDays
      wish = { shares: market.map(() => 0) }
      continue
    }
    const next = rules.wish({
      day,
      bars,
      days: market.map((asset) => asset.slice(Math.max(0, day - SHOWN_DAYS), day + 1)),
      joined: bars.map((own) => own.length >= rules.warmUp),
      worth: total,
      shares: held.units.map((units, asset) => (units * (closes[asset] ?? 0)) / total),
    })
    // Stops and targets stay until the position is closed.
    wish = {
      shares: next.shares,
      stops: market.map(
        (_, asset) => next.stops?.[asset] ?? (held.units[asset] ? (wish.stops?.[asset] ?? null) : null),
      ),
      targets: market.map(
        (_, asset) => next.targets?.[asset] ?? (held.units[asset] ? (wish.targets?.[asset] ?? null) : null),
      ),
    }
  }
  return {
    equity,
    fills,
    drawdown: lowest(equity, rules.cash),
    costs: fills.reduce((sum, fill) => sum + fill.fee + fill.slippage, 0),
  }
}

const SHOWN_DAYS = 400

interface Holdings {
  cash: number
  readonly units: number[]
}

function settle(held: Holdings, { side, asset, units: traded, price, fee }: ReferenceFill): void {
  const before = held.units[asset] ?? 0
  const after = side === 'buy' ? before + traded : before - traded
  // Selling everything leaves 0, without a rounding error.
  held.units[asset] = side === 'sell' && after < before * 1e-9 ? 0 : after
  held.cash = Math.max(0, held.cash + (side === 'buy' ? -1 : 1) * traded * price - fee)
}

function worth({ cash, units }: Holdings, prices: readonly number[]): number {
  return units.reduce((sum, held, asset) => sum + held * (prices[asset] ?? 0), cash)
}

/** The largest fall from an earlier high, as a negative share. */
function lowest(equity: readonly number[], cash: number): number {
  let [peak, deepest] = [cash, 0]
  for (const value of equity) {
    peak = Math.max(peak, value)
    deepest = Math.min(deepest, value / peak - 1)
  }
  return deepest
}

/** The fall of the last value from the highest one, as a negative share. */
function fall(equity: readonly number[], cash: number): number {
  const last = equity.at(-1)
  return last === undefined ? 0 : Math.min(0, last / Math.max(cash, ...equity) - 1)
}

function trades(
  bar: number,
  today: readonly (ReferenceBar | null)[],
  opens: readonly number[],
  shares: readonly number[],
  held: Holdings,
  rules: ReferenceRules,
): ReferenceFill[] {
  const total = worth(held, opens)
  const missing = opens.map((open, asset) => {
    if (today[asset] === null) return 0
    const [share, units] = [shares[asset] ?? 0, held.units[asset] ?? 0]
    const most = Math.min(share, (rules.largestPercent ?? 100) / 100)
    // A holding that grew above the limit is not sold for it.
    return (share * total) / open < units
      ? (share * total) / open - units
      : Math.max(0, (most * total) / open - units)
  })
  const isWorth = (units: number, asset: number) => Math.abs(units) * (opens[asset] ?? 0) > total * 1e-9
  const sold = missing.flatMap((units, asset) =>
    units < 0 && (isWorth(units, asset) || shares[asset] === 0)
      ? [fillOf(bar, asset, 'sell', -units, opens[asset] ?? 0, rules)]
      : [],
  )
  const cash = held.cash + sold.reduce((sum, { units, price, fee }) => sum + units * price - fee, 0)
  const wanted = missing.flatMap((units, asset) =>
    units > 0 && isWorth(units, asset) ? [fillOf(bar, asset, 'buy', units, opens[asset] ?? 0, rules)] : [],
  )
  const cost = wanted.reduce((sum, { units, price, fee }) => sum + units * price + fee, 0)
  const part = cost > cash ? cash / cost : 1
  return [
    ...sold,
    ...wanted
      .map(({ asset, units }) => fillOf(bar, asset, 'buy', units * part, opens[asset] ?? 0, rules))
      .filter(({ units, asset }) => isWorth(units, asset)),
  ]
}

function exits(
  bars: readonly (ReferenceBar | null)[],
  bar: number,
  wish: ReferenceWish,
  held: Holdings,
  rules: ReferenceRules,
): ReferenceFill[] {
  return bars.flatMap((today, place) => {
    const units = held.units[place] ?? 0
    if (units === 0 || today === null) return []
    const stop = wish.stops?.[place] ?? null
    const target = wish.targets?.[place] ?? null
    if (stop !== null && today.low <= stop) {
      return [fillOf(bar, place, 'sell', units, Math.min(today.open, stop), rules)]
    }
    if (target !== null && today.high >= target) {
      return [fillOf(bar, place, 'sell', units, Math.max(today.open, target), rules)]
    }
    return []
  })
}

function fillOf(
  bar: number,
  asset: number,
  side: 'buy' | 'sell',
  units: number,
  seen: number,
  { feePercent, slippagePercent }: ReferenceRules,
): ReferenceFill {
  const worse = seen * (slippagePercent / 100)
  const price = side === 'buy' ? seen + worse : seen - worse
  return { bar, asset, side, units, price, fee: units * price * (feePercent / 100), slippage: units * worse }
}
