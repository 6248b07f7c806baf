import type { ReferencePast, ReferenceRules } from './referenceEngine.ts'

/** The strategies' rules, implemented a second time for `plainRun`. They share nothing with the engine. */
export type Rule = Pick<ReferenceRules, 'warmUp' | 'wish'>

export const hold: Rule = {
  warmUp: 1,
  wish: ({ shares, joined }) => ({
    shares: joined.some((isIn, asset) => isIn && shares[asset] === 0) ? evenly(1, joined) : null,
  }),
}

export function averages(fast: number, slow: number): Rule {
  return {
    warmUp: Math.max(fast, slow),
    wish: (past) =>
      inSlots(past, (bars) => {
        const closes = bars.slice(-Math.max(fast, slow)).map(({ close }) => close)
        return mean(closes.slice(-fast)) > mean(closes.slice(-slow))
      }),
  }
}

export function breakouts(entry: number, exit: number): Rule {
  return {
    warmUp: Math.max(entry, exit) + 1,
    wish: (past) =>
      inSlots(past, (bars, isHeld) => {
        const close = bars.at(-1)?.close ?? 0
        const since = Math.max(
          0,
          bars.findLastIndex(({ isSeam }) => isSeam),
        )
        const before = bars.slice(since, -1).slice(-Math.max(entry, exit))
        if (before.length < (isHeld ? exit : entry)) return isHeld
        if (isHeld) return close >= Math.min(...before.slice(-exit).map(({ low }) => low))
        return close > Math.max(...before.slice(-entry).map(({ high }) => high))
      }),
  }
}

export function rebalanced(invested: number, band: number): Rule {
  return {
    warmUp: 1,
    wish: ({ shares, joined }) => {
      const target = evenly(invested / 100, joined)
      const isAway = shares.some(
        (share, asset) => joined[asset] && Math.abs(share - (target[asset] ?? 0)) > band / 100,
      )
      return { shares: isAway || sum(shares) === 0 ? target : null }
    },
  }
}

/** Repeatedly the same share of the starting capital. */
export function averaging(every: number, share: number, most: number, cash: number): Rule {
  return {
    warmUp: 1,
    wish: ({ day, worth, shares, joined }) => {
      const added = Math.min(((share / 100) * cash) / worth, most / 100 - sum(shares))
      const more = evenly(added, joined)
      const isTime = day % every === 0 && added > 0
      return { shares: isTime ? shares.map((one, asset) => one + (more[asset] ?? 0)) : null }
    },
  }
}

export function rotation(lookback: number, top: number, every: number): Rule {
  return {
    warmUp: lookback + 1,
    wish: ({ day, bars, shares, joined }) => {
      if (day < lookback || (day - lookback) % every !== 0) return { shares: null }
      const gains = bars.map((own, asset) =>
        joined[asset] ? (own.at(-1)?.close ?? 0) / (own.at(-1 - lookback)?.close ?? 0) : 0,
      )
      const ranked = gains.filter((gain) => gain > 1).sort((a, b) => b - a)
      const places = Math.min(top, bars.length)
      if (ranked.length === 0 && sum(shares) === 0) return { shares: null }
      return { shares: gains.map((gain) => (ranked.slice(0, places).includes(gain) ? 1 / places : 0)) }
    },
  }
}

export function reversion({ rsi, oversold, bands, width, loss }: Readonly<Record<string, number>>): Rule {
  const [over = 0, below = 0, count = 0, wide = 0, limit = 0] = [rsi, oversold, bands, width, loss]
  return {
    warmUp: Math.max(10 * over + 1, count),
    wish: (past) => {
      const wish = inSlots(past, (bars, isHeld) => {
        const close = bars.at(-1)?.close ?? 0
        const last = bars.slice(-count).map((bar) => bar.close)
        if (isHeld) return close < mean(last)
        if (!(close < mean(last) - wide * spread(last, 0))) return false
        return (
          strength(
            bars.map((bar) => bar.close),
            over,
          ) < below
        )
      })
      const isNew = (asset: number) => (wish.shares?.[asset] ?? 0) > 0 && past.shares[asset] === 0
      const stops = past.bars.map((own, asset) =>
        isNew(asset) ? (own.at(-1)?.close ?? 0) * (1 - limit / 100) : null,
      )
      return { ...wish, stops }
    },
  }
}

/** Wilder's index, from all closes. */
function strength(closes: readonly number[], n: number): number {
  const changes = closes.slice(1).map((close, place) => close - (closes[place] ?? 0))
  if (changes.length < n) return Number.NaN
  const smoothed = (moves: readonly number[]) =>
    moves.slice(n).reduce((average, move) => (average * (n - 1) + move) / n, mean(moves.slice(0, n)))
  const rises = smoothed(changes.map((change) => Math.max(0, change)))
  const falls = smoothed(changes.map((change) => Math.max(0, -change)))
  return 100 - 100 / (1 + rises / falls)
}

export function swings(days: number, target: number, band: number): Rule {
  return {
    warmUp: days + 1,
    wish: (past) => {
      const grown = growthOfDays(past).slice(-days)
      const isQuiet = past.days.every((asset) => asset.at(-1) === null)
      if (grown.length < days || isQuiet) return { shares: null }
      const volatility = spread(grown.map(Math.log), 1) * Math.sqrt(365)
      const share = Math.min(1, target / 100 / volatility)
      const isAway = Math.abs(share - sum(past.shares)) > band / 100
      return { shares: isAway ? evenly(share, past.joined) : null }
    },
  }
}

/** The mean growth of the assets on each of the last days. An asset counts on a day if it has a bar then and an earlier one. */
function growthOfDays({ days }: ReferencePast): number[] {
  const before = days.map((): number | null => null)
  const grown: number[] = []
  for (let day = 0; day < (days[0]?.length ?? 0); day++) {
    const growths = days.flatMap((asset, place) => {
      const close = asset[day]?.close
      if (close === undefined) return []
      const former = before[place] ?? null
      before[place] = close
      return former === null ? [] : [close / former]
    })
    if (growths.length > 0) grown.push(mean(growths))
  }
  return grown
}

/** Assets that stay keep their weight. New ones get an equal slot, or their part of the cash. */
function inSlots(
  { bars, days, joined, shares }: ReferencePast,
  isWanted: (bars: ReferencePast['bars'][number], isHeld: boolean) => boolean,
): { shares: readonly number[] | null } {
  const wanted = bars.map((own, asset) => {
    const isHeld = (shares[asset] ?? 0) > 0
    return days[asset]?.at(-1) === null ? isHeld : joined[asset] === true && isWanted(own, isHeld)
  })
  const isNew = wanted.map((wants, asset) => wants && shares[asset] === 0)
  if (!wanted.some((wants, asset) => wants !== (shares[asset] ?? 0) > 0)) return { shares: null }
  const staying = sum(shares.filter((_, asset) => wanted[asset]))
  const entering = isNew.filter(Boolean).length
  const slot = Math.min(1 / joined.filter(Boolean).length, (1 - staying) / entering)
  return { shares: shares.map((share, asset) => (isNew[asset] ? slot : wanted[asset] ? share : 0)) }
}

/** A share of the equity in equal parts, for the assets that have joined. */
function evenly(share: number, joined: readonly boolean[]): number[] {
  const count = joined.filter(Boolean).length
  return joined.map((isIn) => (isIn ? share / count : 0))
}

function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0)
}

function mean(values: readonly number[]): number {
  return sum(values) / values.length
}

/** The standard deviation, dividing by the number of values minus `less`. */
function spread(values: readonly number[], less: number): number {
  const middle = mean(values)
  return Math.sqrt(sum(values.map((value) => (value - middle) ** 2)) / (values.length - less))
}
