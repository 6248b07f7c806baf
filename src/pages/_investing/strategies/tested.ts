import { type CollectionEntry, getEntry } from 'astro:content'
import type { Backtest } from '../../../../engine/backtestResult.ts'
import { CATALOGUE, type Offered } from '../../../../engine/catalogue.ts'
import type { Definition } from '../../../../engine/definition.ts'
import { backtestOf } from './backtestOf.ts'
import { type MarketTest, testsOf } from './marketTests.ts'
import { fill } from './words.ts'

/** A test with its result. */
export interface Tested {
  readonly test: MarketTest
  readonly backtest: Backtest
}

/** A strategy, and its tests on real prices and on the simulated market. */
export interface TestedStrategy {
  readonly strategy: Offered
  /** The main test on real prices. */
  readonly main: Tested
  /** On real prices, the main one first. */
  readonly real: readonly Tested[]
  readonly simulated: Tested
}

/** Every strategy of the catalogue, in its order. */
export function allTested(): TestedStrategy[] {
  return CATALOGUE.map(testedStrategy)
}

/** Throws if the catalogue has no such strategy. */
export function testedBySlug(slug: string): TestedStrategy {
  const strategy = CATALOGUE.find((each) => each.slug === slug)
  if (strategy === undefined) throw new Error(`There is no strategy ${slug}.`)
  return testedStrategy(strategy)
}

function testedStrategy(strategy: Offered): TestedStrategy {
  const tests = testsOf(strategy).map((test) => ({ test, backtest: backtestOf(test) }))
  const real = tests.filter(({ test }) => test.on !== 'simulated')
  const [main] = real
  const simulated = tests.at(-1)
  if (main === undefined || simulated === undefined) throw new Error(`${strategy.slug} lacks a test.`)
  return { strategy, main, real, simulated }
}

/** The words about a strategy, for its definition on one market. Throws if src/content/strategies has none. */
export async function wordsOf(
  slug: string,
  definition: Definition,
): Promise<CollectionEntry<'strategies'>['data']> {
  const entry = await getEntry('strategies', slug)
  if (entry === undefined) throw new Error(`There are no words about ${slug}.`)
  const filled = (text: string) => fill(text, definition)
  const { summary, loses, rules, holds, notFor } = entry.data
  return {
    summary: filled(summary),
    loses: filled(loses),
    rules: rules.map(filled),
    holds: filled(holds),
    notFor: filled(notFor),
  }
}
