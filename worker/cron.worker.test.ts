import { env } from 'cloudflare:workers'
import { sql } from 'drizzle-orm'
import { beforeEach, describe, expect, test, vi } from 'vitest'
import type { CronJob } from '../src/contract/console/cronJobs.ts'
import { JOBS, runDueWork } from './cron.ts'
import type { Database } from './lib/database.ts'
import { hasBudget } from './lib/workBudget.ts'

type Jobs = typeof JOBS
type Run = Jobs[CronJob]['run']

const NAMES = Object.keys(JOBS) as CronJob[]
let nowMs = Date.UTC(2031, 0, 1)
beforeEach(async () => {
  nowMs += 60_000
  await env.DB.prepare('DELETE FROM cron_work').run()
})

/** All jobs, each of which does a little work and is listed, except the given one. */
function jobsWith(bad: CronJob | null, run: Run): { readonly jobs: Jobs; readonly done: CronJob[] } {
  const done: CronJob[] = []
  const jobOf = (name: CronJob) => ({
    ...JOBS[name],
    run: async (_env: unknown, db: Database) => {
      await db.all(sql`SELECT 1`)
      done.push(name)
    },
  })
  const jobs = Object.fromEntries(NAMES.map((name) => [name, jobOf(name)])) as unknown as Jobs
  return { jobs: bad === null ? jobs : { ...jobs, [bad]: { ...jobs[bad], run } }, done }
}

const tick = (jobs: Jobs) => runDueWork(env, nowMs, new Set(), jobs)

const workOf = (name: string) =>
  env.DB.prepare('SELECT error, failed_since, running FROM cron_work WHERE name = ?1').bind(name).first()

describe('no job keeps the others from running', () => {
  test.each(NAMES)('%s that throws, or sends statements without end', async (bad) => {
    const throwing = jobsWith(bad, async () => {
      throw new Error('broken')
    })
    await tick(throwing.jobs)
    expect(throwing.done).toEqual(NAMES.filter((name) => name !== bad))
    let sent = 0
    const greedy = jobsWith(bad, async (_env, db) => {
      for (;;) {
        await db.$client.batch(Array.from({ length: 50 }, () => db.$client.prepare('SELECT 1')))
        sent += 50
      }
    })
    await tick(greedy.jobs)
    expect(greedy.done).toEqual(NAMES.filter((name) => name !== bad))
    expect(sent).toBeLessThan(1000)
    expect(await workOf(bad)).toMatchObject({ error: 'E_WORK_BUDGET' })
  })

  test.each(NAMES)('%s during which the Worker is killed', async (bad) => {
    // A killed Worker does nothing any more.
    const never: Run = () => new Promise(() => {})
    void tick(jobsWith(bad, never).jobs)
    await vi.waitFor(async () => expect(await workOf('cron')).toMatchObject({ running: bad }))
    const { jobs, done } = jobsWith(bad, never)
    void tick(jobs)
    await vi.waitFor(() => expect(done).toEqual(NAMES.filter((name) => name !== bad)))
    expect(await workOf(bad)).toMatchObject({ error: 'did not end' })
    // Once it ends, it has its place again.
    const calm = jobsWith(null, async () => {})
    await tick(calm.jobs)
    expect(calm.done.at(-1)).toBe(bad)
    expect(await workOf(bad)).toMatchObject({ error: null, failed_since: null })
    await tick(calm.jobs)
    expect(calm.done.slice(NAMES.length)).toEqual(NAMES)
  })

  test('two jobs during which the Worker is killed take turns at the end', async () => {
    await env.DB.prepare(
      `INSERT INTO cron_work (name, at, longest_ms, failed_since, error)
       VALUES ('outbox', 2, 0, 2, 'did not end'), ('payments', 1, 0, 1, 'did not end')`,
    ).run()
    const { jobs, done } = jobsWith(null, async () => {})
    await tick(jobs)
    expect(done.slice(-2)).toEqual(['payments', 'outbox'])
  })

  test('jobs that use their whole share together stay within what a Worker may send', async () => {
    let sent = 0
    const done: string[] = []
    const jobs = Object.fromEntries(
      NAMES.map((name) => [
        name,
        {
          ...JOBS[name],
          run: async (_env: unknown, db: Database) => {
            let own = 0
            for (; hasBudget(db, 1); own++) await db.all(sql`SELECT 1`)
            sent += own
            expect(own).toBeGreaterThanOrEqual(JOBS[name].statements)
            done.push(name)
          },
        },
      ]),
    ) as unknown as Jobs
    await tick(jobs)
    expect(done).toEqual(NAMES)
    expect(sent).toBeLessThan(950)
  })
})
