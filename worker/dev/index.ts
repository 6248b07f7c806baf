import { DAY_MS } from '../../src/time.ts'
import { createApp } from '../app.ts'
import { runDueWork } from '../cron.ts'
import { toIso } from '../http/paging.ts'
import { requestOnwardWithdrawals } from '../investing/allocations/onwardWithdrawals.ts'
import { PaperBroker } from '../investing/trading/broker.ts'
import { readPool } from '../investing/trading/state.ts'
import { followDays } from '../investing/trading/step.ts'
import { VenueAccount } from '../investing/venueAccount/sender.ts'
import { openDatabase } from '../lib/database.ts'
import type { Env } from '../lib/env.ts'
import { runtime } from '../lib/runtime.ts'
import { siteRoutes } from '../siteRoutes.ts'
import { withConsole } from '../withConsole.ts'
import { MAILBOX_CSS, mountMailbox } from './mailbox.ts'
import { seedBusyDay } from './seed/busyDay/busyDay.ts'
import { seedWhenEmpty } from './seed/seed.ts'
import { simulatedPrices } from './seed/simulatedPrices.ts'

/**
 * The development entry: the same Worker with a mailbox, seeded accounts, and days that pass on request. Never part of a
 * production bundle.
 */
const app = createApp(siteRoutes, readClaimedTime)
mountMailbox(app)
app.get('/dev/mailbox.css', (c) => c.body(MAILBOX_CSS, 200, { 'Content-Type': 'text/css' }))
// `npm start` calls this once the server is up.
app.post('/api/v1/dev/seed', async (c) => c.json(await seedWhenEmpty(c.env, runtime.now())))
let isMakingBusyDay = false
// `npm start -- --busy` calls this after the seed.
app.post('/api/v1/dev/seed/busy', async (c) => {
  isMakingBusyDay = true
  const isSeeded = await seedBusyDay(c.env, answerCompletely, runtime.now()).finally(() => {
    isMakingBusyDay = false
  })
  return c.json({ seeded: isSeeded }, isSeeded ? 200 : 409)
})
// Browser tests call this, because they cannot wait for midnight.
app.post('/api/v1/dev/strategies/:slug/next-day', async (c) =>
  c.json(await runNextDay(c.env, c.req.param('slug'))),
)

const answer = withConsole(app, readClaimedTime)

export default {
  // A sign-in during the busy day would use a code that is newer than those of its acts, which are refused then.
  fetch: (request: Request, env: Env, context: ExecutionContext) =>
    isMakingBusyDay ? createBusyAnswer() : answer(request, env, context),
  scheduled: (event, env, context) => context.waitUntil(runDueWork(env, event.scheduledTime)),
} satisfies ExportedHandler<Env>

function createBusyAnswer(): Response {
  const msg = 'The busy day is being made. Please try again in a minute.'
  return Response.json({ code: 'unavailable', msg }, { status: 503, headers: { 'Retry-After': '30' } })
}

/** Answers a request of the seed, and waits for the work that follows the answer. */
async function answerCompletely(request: Request, env: Env): Promise<Response> {
  const deferred: Promise<unknown>[] = []
  const waitUntil = (work: Promise<unknown>) => deferred.push(work)
  const context = { waitUntil, passThroughOnException: () => {}, props: {} } as unknown as ExecutionContext
  const response = await answer(request, env, context)
  const body = await response.arrayBuffer()
  await Promise.all(deferred)
  const { status, headers } = response
  return new Response(body.byteLength === 0 ? null : body, { status, headers })
}

const HEADER = 'X-Development-Time'

/**
 * The time that a request claims in its header, in epoch milliseconds, so that browser tests can pass the days that an order
 * waits; otherwise now.
 */
function readClaimedTime(request: Request): number {
  const claimed = Date.parse(request.headers.get(HEADER) ?? '')
  return Number.isNaN(claimed) ? runtime.now() : claimed
}

/**
 * Runs the next day of one strategy as cron would: settles orders, then files the withdrawals that follow them. Answers a time
 * on that day, for the test to continue from.
 */
async function runNextDay(env: Env, slug: string): Promise<{ at: string }> {
  const db = openDatabase(env.DB)
  const { latest, startedAt, definition } = await readPool(db, slug)
  const day = (latest?.day ?? Math.floor(startedAt / DAY_MS) * DAY_MS) + DAY_MS
  const nowMs = day + DAY_MS / 2
  const broker = new PaperBroker(definition.costs)
  for await (const _ of followDays({ db, prices: simulatedPrices, nowMs, broker: () => broker }, slug));
  await requestOnwardWithdrawals(env, db, nowMs)
  return { at: toIso(nowMs) }
}

// The runtime finds the class of a Durable Object by this name.
export { VenueAccount }
