import { REAL_TESTS } from '../../engine/backtest/realTests.ts'
import { CATALOGUE } from '../../engine/catalogue.ts'

/** The name of a strategy; its slug if it is no longer offered. */
export function getStrategyName(slug: string): string {
  return [...CATALOGUE, ...REAL_TESTS].find((offered) => offered.slug === slug)?.name ?? slug
}
