import { renderPath, respondWithParts } from './_investing/strategies/chartFile.ts'
import { computeHeroShape } from './_site/home/heroShape.ts'
import { listBitcoinTests } from './_site/product/bitcoinTests.ts'
import { computeSampleAccount, drawSampleAccount, listSampleHoldings } from './_site/product/sampleAccount.ts'

/** The lines of the home page's charts: one set for each rule, and the value of the sample account. */
export const GET = () => {
  const tests = listBitcoinTests()
  const { charts } = computeHeroShape(tests.map(({ backtest }) => backtest))
  const { paths } = drawSampleAccount(computeSampleAccount(listSampleHoldings(tests)))
  return respondWithParts([
    ...tests.flatMap(({ test }, index) =>
      Object.entries(charts[index]?.paths ?? {}).map(([line, path]) =>
        renderPath(`${test.strategy.slug}-${line}`, path),
      ),
    ),
    ...Object.entries(paths).map(([name, path]) => renderPath(name, path)),
  ])
}
