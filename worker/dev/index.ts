import { createApp } from '../app.ts'
import { runDueWork } from '../cron.ts'
import type { Env } from '../env.ts'
import { routes } from '../routes.ts'
import { MAILBOX_CSS, mountMailbox } from './mailbox.ts'
import { seedWhenEmpty } from './seed/seed.ts'

/** The development entry: the same Worker with a mailbox to read and seeded accounts. Never part of a production bundle. */
const app = createApp(routes)
mountMailbox(app)
app.get('/dev/mailbox.css', (c) => c.body(MAILBOX_CSS, 200, { 'Content-Type': 'text/css' }))
// Asked for by `npm start` once the server is up.
app.post('/api/v1/dev/seed', async (c) => c.json(await seedWhenEmpty(c.env, Date.now())))

export default {
  fetch: app.fetch,
  scheduled: (event, env, context) => context.waitUntil(runDueWork(env, event.scheduledTime)),
} satisfies ExportedHandler<Env>
