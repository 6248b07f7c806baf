import type { getMonitoring } from '../../../src/contract/console/monitoring.ts'
import { sum } from '../../../src/contract/numbers.ts'
import { ok, type PublicCallOf } from '../../http/call.ts'
import { readTogether } from '../../lib/database.ts'
import { toWaitingCounts } from '../books/overview.ts'
import { readWaiting } from '../work/kinds.ts'
import { readHealth } from './show.ts'

/** The scheduled work completes each minute. */
const LATE_MS = 10 * 60_000

/** Health and queue lengths for a monitoring program: no names, no amounts, no findings. */
export async function showMonitoring(call: PublicCallOf<typeof getMonitoring>) {
  const health = await readHealth(call)
  const queues = toWaitingCounts((await readTogether(call.db, ...readWaiting(call.nowMs))).flat())
  const { mail, cron, checks, chains, market, strategies, at } = health
  const isLate = cron.at === null || call.nowMs - Date.parse(cron.at) > LATE_MS
  const problems = [
    ...(isLate ? [`scheduled work is late since ${cron.at ?? 'the beginning'}`] : []),
    ...cron.work.flatMap(({ name, failedSince }) =>
      failedSince ? [`job ${name} fails since ${failedSince}`] : [],
    ),
    ...checks.flatMap((check) => (check.ok ? [] : [`self-check ${check.name} found a problem`])),
    ...(mail.failingSince ? [`mail fails since ${mail.failingSince}`] : []),
    ...chains.servers.flatMap(({ chain, failingSince }) =>
      failingSince ? [`a server of ${chain} fails since ${failingSince}`] : [],
    ),
    ...(chains.unsearched.length > 0 ? [`${chains.unsearched.length} blocks could not be searched`] : []),
    ...(strategies.length > 0 ? [`${strategies.length} strategies are suspended or late`] : []),
    ...Object.entries(queues).flatMap(([kind, { overdue }]) =>
      overdue > 0 ? [`${overdue} overdue: ${kind}`] : [],
    ),
  ]
  return ok({
    at,
    ok: problems.length === 0,
    problems,
    queues,
    mail: {
      waiting: mail.waiting,
      oldest: mail.oldest,
      failing: sum(mail.failing.map(({ count }) => count)),
    },
    cronAt: cron.at,
    pricesAt: market.map((list) => list.at).toSorted()[0] ?? null,
  })
}
