import type { APIRoute, GetStaticPaths } from 'astro'
import { buildPlayback } from '../../../../../engine/backtest/playback.ts'
import { listAllTests, loadMarket, type MarketTest } from '../../../_investing/strategies/marketTests.ts'
import { getAssetName } from '../../../_investing/strategies/words.ts'

export const getStaticPaths = (() =>
  listAllTests().map((test) => ({
    params: { slug: test.strategy.slug, on: test.on },
    props: { test },
  }))) satisfies GetStaticPaths

/** One account through the out-of-sample days of a test: value and fills, with the names of the assets. */
export const GET: APIRoute<{ test: MarketTest }> = ({ props: { test } }) =>
  Response.json({
    ...buildPlayback(loadMarket(test), test.definition, test.options),
    assets: test.definition.assets.map(getAssetName),
  })
