import { type CollectionEntry, getEntry } from 'astro:content'
import type { Backtest } from '../../../../engine/backtest/backtestResult.ts'
import type { Definition } from '../../../../engine/definition.ts'
import { getBacktest } from './getBacktest.ts'
import { listAllTests, type MarketTest } from './marketTests.ts'
import { fill } from './words.ts'

/** A test with its result. */
export interface MarketTestResult {
  readonly test: MarketTest
  readonly backtest: Backtest
}

/** Every test of the catalogue with its result, in the catalogue's order. */
export function listTestResults(): MarketTestResult[] {
  return listAllTests().map((test) => ({ test, backtest: getBacktest(test) }))
}

/** The words about a strategy, for its definition on one market. Throws if src/content/strategies has none. */
export async function loadStrategyWords(
  slug: string,
  definition: Definition,
): Promise<CollectionEntry<'strategies'>['data']> {
  const entry = await getEntry('strategies', slug)
  if (entry === undefined) throw new Error(`There are no words about ${slug}.`)
  const fillText = (text: string) => fill(text, definition)
  const { summary, loses, rules, holds, notFor } = entry.data
  return {
    summary: fillText(summary),
    loses: fillText(loses),
    rules: rules.map(fillText),
    holds: fillText(holds),
    notFor: fillText(notFor),
  }
}
