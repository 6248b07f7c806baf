import { getDecisionTimes } from '../../../src/contract/money/decisionTimes.ts'
import { ok } from '../../http/call.ts'
import { publicRoute, type Route } from '../../http/route.ts'
import { readTogether } from '../../lib/database.ts'
import { decisionTimesOf, readDecisionTimes } from './read.ts'

export const decisionTimeRoutes: readonly Route[] = [
  publicRoute(getDecisionTimes, async ({ db }) => {
    const [rows] = await readTogether(db, readDecisionTimes())
    // Measured anew once a day: what a browser keeps is an hour behind at the most. The answer may carry a visitor’s own cookie.
    return ok(decisionTimesOf(rows), { 'Cache-Control': 'private, max-age=3600' })
  }),
]
