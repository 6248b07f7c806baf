import { createApp } from '../app.ts'
import { runDueWork } from '../cron.ts'
import type { Env } from '../lib/env.ts'
import { routes } from '../routes.ts'
import { claimedTime } from './clock.ts'
import { MAILBOX_CSS, mountMailbox } from './mailbox.ts'
import { nextDay } from './nextDay.ts'
import { seedWhenEmpty } from './seed/seed.ts'

/**
 * The development entry: the same Worker with a mailbox to read, seeded accounts, and days that come when they are asked for. Never part
 * of a production bundle.
 */
const app = createApp(routes, claimedTime)
mountMailbox(app)
app.get('/dev/mailbox.css', (c) => c.body(MAILBOX_CSS, 200, { 'Content-Type': 'text/css' }))
// Asked for by `npm start` once the server is up.
app.post('/api/v1/dev/seed', async (c) => c.json(await seedWhenEmpty(c.env, Date.now())))
// Asked for by the tests of a browser, which can't wait for midnight.
app.post('/api/v1/dev/strategies/:slug/next-day', async (c) =>
  c.json(await nextDay(c.env, c.req.param('slug'))),
)

export default {
  fetch: app.fetch,
  scheduled: (event, env, context) => context.waitUntil(runDueWork(env, event.scheduledTime)),
} satisfies ExportedHandler<Env>
