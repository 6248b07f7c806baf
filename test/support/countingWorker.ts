import development from '../../worker/dev/index.ts'
import type { Env } from '../../worker/lib/env.ts'
import { countQueries } from './counting.ts'

/** The development Worker with a header `X-D1` that reports the database work of each answer. */
export default {
  ...development,
  async fetch(request, env, context) {
    const { binding, counted } = countQueries(env.DB)
    const response = await development.fetch(request, { ...env, DB: binding }, context)
    const headers = new Headers(response.headers)
    headers.set('X-D1', JSON.stringify(counted))
    return new Response(response.body, { status: response.status, headers })
  },
} satisfies ExportedHandler<Env>

// The runtime finds the class of a Durable Object by this name.
export { VenueAccount } from '../../worker/dev/index.ts'
