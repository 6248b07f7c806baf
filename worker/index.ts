import { createApp } from './app.ts'
import { runDueWork } from './cron.ts'
import type { Env } from './lib/env.ts'
import { routes } from './routes.ts'

export { VenueAccount } from './investing/venueAccount/sender.ts'

const app = createApp(routes)

export default {
  fetch: app.fetch,
  scheduled: (event, env, context) => context.waitUntil(runDueWork(env, event.scheduledTime)),
} satisfies ExportedHandler<Env>
