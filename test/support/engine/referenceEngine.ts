/** Another way to the same figures: slow, in plain arrays, everything computed from the start again at each bar. */
export interface ReferenceBar {
  readonly open: number
  readonly high: number
  readonly low: number
  readonly close: number
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

/** What a rule may know: all bars up to the last close of each asset, the equity at it, and what each asset is of that. */
export interface ReferencePast {
  readonly bars: readonly (readonly ReferenceBar[])[]
  readonly worth: number
  readonly shares: readonly number[]
}

export interface ReferenceWish {
  /** Null: nothing is to be traded. */
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
  /** No more than this is bought of one asset. */
  readonly largestPercent?: number
}

export interface ReferenceResult {
  readonly equity: readonly number[]
  readonly fills: readonly ReferenceFill[]
  readonly drawdown: number
  readonly costs: number
}

export function plainRun(
  market: readonly (readonly ReferenceBar[])[],
  rules: ReferenceRules,
): ReferenceResult {
  const bars = market[0]?.length ?? 0
  const fills: ReferenceFill[] = []
  const equity: number[] = []
  let wish: ReferenceWish = { shares: null }
  let isOver = false
  for (let bar = 0; bar < bars; bar++) {
    if (bar >= rules.warmUp) {
      const opens = market.map((asset) => asset[bar]?.open ?? 0)
      if (wish.shares !== null)
        fills.push(...trades(bar, opens, wish.shares, holdings(market, fills, rules), rules))
      fills.push(...exits(market, bar, wish, holdings(market, fills, rules), rules))
      const closes = market.map((asset) => asset[bar]?.close ?? 0)
      equity.push(worth(holdings(market, fills, rules), closes))
    }
    if (isOver) {
      wish = { shares: null }
      continue
    }
    if (rules.worstFallPercent !== undefined && fall(equity, rules.cash) <= -rules.worstFallPercent / 100) {
      isOver = true
      wish = { shares: market.map(() => 0) }
      continue
    }
    const held = holdings(market, fills, rules)
    const total = worth(
      held,
      market.map((asset) => asset[bar]?.close ?? 0),
    )
    const next = rules.wish({
      bars: market.map((asset) => asset.slice(0, bar + 1)),
      worth: total,
      shares: held.units.map((units, asset) => (units * (market[asset]?.[bar]?.close ?? 0)) / total),
    })
    // Stops and targets stay until the position is gone.
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
    drawdown: Math.min(0, ...equity.map((_, day) => fall(equity.slice(0, day + 1), rules.cash))),
    costs: fills.reduce((sum, fill) => sum + fill.fee + fill.slippage, 0),
  }
}

interface Holdings {
  readonly cash: number
  readonly units: readonly number[]
}

/** Cash and units, from all fills so far. */
function holdings(
  market: readonly unknown[],
  fills: readonly ReferenceFill[],
  rules: ReferenceRules,
): Holdings {
  const units = market.map((_, asset) => {
    const own = fills.filter((fill) => fill.asset === asset)
    // A sale of all leaves nothing, not a rounding.
    const lastEmpty = own.findLastIndex((fill, place) => fill.side === 'sell' && leaves(own, place) < 1e-9)
    return leaves(own.slice(lastEmpty + 1), own.length - lastEmpty - 2)
  })
  const cash = fills.reduce(
    (sum, { side, units: traded, price, fee }) => sum + (side === 'buy' ? -1 : 1) * traded * price - fee,
    rules.cash,
  )
  return { cash: Math.max(0, cash), units }
}

/** What is left of the last purchases after the fill at a place, as a share of what was bought. */
function leaves(own: readonly ReferenceFill[], place: number): number {
  return own
    .slice(0, place + 1)
    .reduce((left, { side, units }) => (side === 'buy' ? left + units : left - units), 0)
}

function worth({ cash, units }: Holdings, prices: readonly number[]): number {
  return units.reduce((sum, held, asset) => sum + held * (prices[asset] ?? 0), cash)
}

/** How far the last value stands below the highest before, as a negative share. */
function fall(equity: readonly number[], cash: number): number {
  const last = equity.at(-1)
  return last === undefined ? 0 : Math.min(0, last / Math.max(cash, ...equity) - 1)
}

function trades(
  bar: number,
  opens: readonly number[],
  shares: readonly number[],
  held: Holdings,
  rules: ReferenceRules,
): ReferenceFill[] {
  const total = worth(held, opens)
  const missing = opens.map((open, asset) => {
    const [share, units] = [shares[asset] ?? 0, held.units[asset] ?? 0]
    const most = Math.min(share, (rules.largestPercent ?? 100) / 100)
    // What has grown above the most is not sold for that.
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
  market: readonly (readonly ReferenceBar[])[],
  bar: number,
  wish: ReferenceWish,
  held: Holdings,
  rules: ReferenceRules,
): ReferenceFill[] {
  return market.flatMap((asset, place) => {
    const units = held.units[place] ?? 0
    const today = asset[bar]
    if (units === 0 || !today) return []
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
