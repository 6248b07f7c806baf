import { createApp } from './app.ts'
import { VenueAccount } from './investing/venueAccount/sender.ts'
import type { Env } from './lib/env.ts'
import { siteRoutes } from './siteRoutes.ts'
import { withConsole } from './withConsole.ts'

export default {
  fetch: withConsole(createApp(siteRoutes)),
  // The jobs are a large part of the Worker, so they load with the first minute of cron.
  scheduled: (event, env, context) =>
    context.waitUntil(import('./cron.ts').then(({ runDueWork }) => runDueWork(env, event.scheduledTime))),
} satisfies ExportedHandler<Env>

// The runtime finds the class of a Durable Object by this name.
export { VenueAccount }
