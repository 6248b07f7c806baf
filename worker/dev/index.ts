import { createApp } from '../app.ts'
import { runDueWork } from '../cron.ts'
import type { Env } from '../env.ts'
import { routes } from '../routes.ts'
import { MAILBOX_CSS, mountMailbox } from './mailbox.ts'

/** The development entry: the same Worker with a mailbox to read and seeded accounts. Never part of a production bundle. */
const app = createApp(routes)
mountMailbox(app)
app.get('/dev/mailbox.css', (c) => c.body(MAILBOX_CSS, 200, { 'Content-Type': 'text/css' }))

export default {
  fetch: app.fetch,
  scheduled: (event, env, context) => context.waitUntil(runDueWork(env, event.scheduledTime)),
} satisfies ExportedHandler<Env>
