import type { APIRoute, GetStaticPaths } from 'astro'
import { renderPath, respondWithParts } from '../../_investing/strategies/chartFile.ts'
import { buildCourse } from '../../_investing/strategies/course.ts'
import { computeCourseShape } from '../../_investing/strategies/courseShape.ts'
import { getBacktest } from '../../_investing/strategies/getBacktest.ts'
import { listAllTests, type MarketTest } from '../../_investing/strategies/marketTests.ts'

export const getStaticPaths = (() =>
  listAllTests().map((test) => ({
    params: { slug: test.strategy.slug, on: test.on },
    props: { test },
  }))) satisfies GetStaticPaths

/** The lines and the words of a test's chart. */
export const GET: APIRoute<{ test: MarketTest }> = ({ props: { test } }) => {
  const { paths, words } = computeCourseShape(buildCourse(test.strategy.name, getBacktest(test)))
  return respondWithParts([
    ...Object.entries(paths).map(([id, path]) => renderPath(id, path)),
    ...Object.entries(words).map(([id, texts]) => `<g id="${id}">${texts.join('')}</g>`),
  ])
}
