import type { APIRoute, GetStaticPaths } from 'astro'
import { getBacktest } from '../../_investing/strategies/getBacktest.ts'
import { listAllTests, type MarketTest } from '../../_investing/strategies/marketTests.ts'

export const getStaticPaths = (() =>
  listAllTests().map((test) => ({
    params: { slug: test.strategy.slug, on: test.on },
    props: { test },
  }))) satisfies GetStaticPaths

/** A backtest per day, with which “Run it yourself” compares its result. */
export const GET: APIRoute<{ test: MarketTest }> = ({ props }) => Response.json(getBacktest(props.test))
