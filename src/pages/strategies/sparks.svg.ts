import { computeSparkPaths } from '../_investing/strategies/courseShape.ts'
import { getBacktest } from '../_investing/strategies/getBacktest.ts'
import { getSparkId, listAllTests } from '../_investing/strategies/marketTests.ts'
import { respondWithPaths } from '../_investing/strategies/paths.ts'

/** The small charts of all tests. */
export const GET = () =>
  respondWithPaths(
    Object.fromEntries(
      listAllTests().flatMap((test) =>
        Object.entries(computeSparkPaths(getBacktest(test))).map(([line, path]) => [
          `${getSparkId(test)}-${line}`,
          path,
        ]),
      ),
    ),
  )
