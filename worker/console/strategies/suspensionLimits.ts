import type { Band } from '../../../engine/backtestResult.ts'
import { bandAt } from '../../../engine/band.ts'
import type { Definition } from '../../../engine/definition.ts'
import { DAY_MS } from '../../../engine/metrics/dailyEquity.ts'
import type { OperatorStrategy } from '../../../src/contract/console/strategies.ts'

/** What is needed of a strategy to say where it stands by its own rules. Prices in micro-USD for one unit. */
export interface LimitFacts {
  /** The newest valuation. */
  readonly unitPrice: number | null
  readonly valuedDay: number | null
  readonly valuedKind: 'open' | 'close' | null
  /** JSON of the band that was frozen with it. */
  readonly band: string | null
  /** The open from which it is measured: its first one since it was started or resumed. */
  readonly sinceDay: number | null
  readonly sincePrice: number | null
  /** The highest close since then. */
  readonly peak: number | null
}

/** Where the newest valuation stands by the two rules that suspend a strategy, measured as they measure it. */
export function suspensionLimitsOf(
  facts: LimitFacts,
  { risk }: Pick<Definition, 'risk'>,
): Pick<OperatorStrategy, 'drawdown' | 'maximumDrawdown' | 'band'> {
  const { unitPrice, sincePrice, peak } = facts
  const highest = Math.max(peak ?? 0, sincePrice ?? 0, unitPrice ?? 0)
  return {
    drawdown:
      unitPrice === null || sincePrice === null ? null : Math.round((1 - unitPrice / highest) * 1e6) / 1e6,
    maximumDrawdown: risk.maximumDrawdown ?? null,
    band: bandOf(facts),
  }
}

function bandOf({ band, sinceDay, sincePrice, valuedDay, valuedKind }: LimitFacts): OperatorStrategy['band'] {
  if (band === null || sinceDay === null || sincePrice === null || valuedDay === null) return null
  const days = (valuedDay - sinceDay) / DAY_MS + (valuedKind === 'close' ? 1 : 0)
  if (days < 0) return null
  const { lower99, median, upper99 } = bandAt(JSON.parse(band) as Band, days)
  const price = (growth: number) => Math.round(growth * sincePrice) / 1e6
  return { lower: price(lower99), median: price(median), upper: price(upper99) }
}
