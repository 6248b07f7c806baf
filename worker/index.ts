import { createApp } from './app.ts'
import { runDueWork } from './cron.ts'
import { VenueAccount } from './investing/venueAccount/sender.ts'
import type { Env } from './lib/env.ts'
import { routes } from './routes.ts'

const app = createApp(routes)

export default {
  fetch: app.fetch,
  scheduled: (event, env, context) => context.waitUntil(runDueWork(env, event.scheduledTime)),
} satisfies ExportedHandler<Env>

// The runtime finds the class of a Durable Object by this name.
export { VenueAccount }
