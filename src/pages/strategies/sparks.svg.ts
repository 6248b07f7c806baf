import { renderPath, respondWithParts } from '../_investing/strategies/chartFile.ts'
import { computeSparkPaths } from '../_investing/strategies/courseShape.ts'
import { getBacktest } from '../_investing/strategies/getBacktest.ts'
import { getSparkId, listAllTests } from '../_investing/strategies/marketTests.ts'

/** The small charts of all tests. */
export const GET = () =>
  respondWithParts(
    listAllTests().flatMap((test) =>
      Object.entries(computeSparkPaths(getBacktest(test))).map(([line, path]) =>
        renderPath(`${getSparkId(test)}-${line}`, path),
      ),
    ),
  )
