import type { APIRoute, GetStaticPaths } from 'astro'
import { buildCourse } from '../../_investing/strategies/course.ts'
import { computeCourseShape } from '../../_investing/strategies/courseShape.ts'
import { getBacktest } from '../../_investing/strategies/getBacktest.ts'
import { listAllTests, type MarketTest } from '../../_investing/strategies/marketTests.ts'
import { respondWithPaths } from '../../_investing/strategies/paths.ts'

export const getStaticPaths = (() =>
  listAllTests().map((test) => ({
    params: { slug: test.strategy.slug, on: test.on },
    props: { test },
  }))) satisfies GetStaticPaths

/** The lines of a test's chart. */
export const GET: APIRoute<{ test: MarketTest }> = ({ props: { test } }) =>
  respondWithPaths(computeCourseShape(buildCourse(test.strategy.name, getBacktest(test))).paths)
