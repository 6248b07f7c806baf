import { CRON_JOBS, type CronJob } from '../../../src/contract/console/cronJobs.ts'
import { runDueWork } from '../../../worker/cron.ts'
import type { Env } from '../../../worker/lib/env.ts'
import { countQueries } from '../../support/counting.ts'
import counting from '../../support/countingWorker.ts'

const JOBS = Object.keys(CRON_JOBS) as CronJob[]

/** The counting Worker. `POST /bench/jobs/<name>?at=<ms>` runs one job of the cron at that time and answers its cost. */
export default {
  async fetch(request, env, context) {
    const { pathname, searchParams } = new URL(request.url)
    const job = JOBS.find((name) => pathname === `/bench/jobs/${name}`)
    if (job === undefined) return counting.fetch(request, env, context)
    const { binding, counted } = countQueries(env.DB)
    const others = new Set(JOBS.filter((name) => name !== job))
    await runDueWork({ ...env, DB: binding }, Number(searchParams.get('at')), others)
    return Response.json(counted)
  },
} satisfies ExportedHandler<Env>

// The runtime finds the class of a Durable Object by this name.
export { VenueAccount } from '../../../worker/dev/index.ts'
