import { type CollectionEntry, getEntry } from 'astro:content'
import type { Backtest } from '../../../../engine/backtest/backtestResult.ts'
import { CATALOGUE, type OfferedStrategy } from '../../../../engine/catalogue.ts'
import type { Definition } from '../../../../engine/definition.ts'
import { getBacktest } from './getBacktest.ts'
import { listTests, type MarketTest } from './marketTests.ts'
import { fill } from './words.ts'

/** A test with its result. */
export interface MarketTestResult {
  readonly test: MarketTest
  readonly backtest: Backtest
}

/** A strategy, and its tests on real prices and on the simulated market. */
export interface TestedStrategy {
  readonly strategy: OfferedStrategy
  /** The main test on real prices. */
  readonly main: MarketTestResult
  /** On real prices, the main one first. */
  readonly real: readonly MarketTestResult[]
  readonly simulated: MarketTestResult
}

/** Every strategy of the catalogue, in its order. */
export function listTestedStrategies(): TestedStrategy[] {
  return CATALOGUE.map(buildTestedStrategy)
}

/** Throws if the catalogue has no such strategy. */
export function getTestedStrategy(slug: string): TestedStrategy {
  const strategy = CATALOGUE.find((offered) => offered.slug === slug)
  if (strategy === undefined) throw new Error(`There is no strategy ${slug}.`)
  return buildTestedStrategy(strategy)
}

function buildTestedStrategy(strategy: OfferedStrategy): TestedStrategy {
  const tests = listTests(strategy).map((test) => ({ test, backtest: getBacktest(test) }))
  const real = tests.filter(({ test }) => test.on !== 'simulated')
  const [main] = real
  const simulated = tests.at(-1)
  if (main === undefined || simulated === undefined) throw new Error(`${strategy.slug} lacks a test.`)
  return { strategy, main, real, simulated }
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
