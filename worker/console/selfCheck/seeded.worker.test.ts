import { env } from 'cloudflare:workers'
import { expect, test } from 'vitest'
import { DAY_MS } from '../../../src/time.ts'
import { withTriggerDropped } from '../../../test/support/withTriggerDropped.ts'
import { runDueWork } from '../../cron.ts'
import { seedWhenEmpty } from '../../dev/seed/seed.ts'
import { openDatabase } from '../../lib/database.ts'
import { runSelfChecks } from './run.ts'

test('the cron finds a seeded platform in order', async () => {
  const nowMs = Date.now()
  await seedWhenEmpty(env, nowMs)
  await runDueWork(env, nowMs)
  const { results } = await env.DB.prepare(
    'SELECT name, ok, finding, checkpoint FROM self_checks ORDER BY name',
  ).all<{ name: string; ok: number; finding: string | null; checkpoint: string }>()
  expect(results.map(({ name, ok, finding }) => ({ name, ok, finding }))).toEqual([
    { name: 'auditLog', ok: 1, finding: null },
    { name: 'chainServers', ok: 1, finding: null },
    { name: 'everything', ok: 1, finding: null },
    { name: 'exchange', ok: 1, finding: null },
    { name: 'gaps', ok: 1, finding: null },
    { name: 'ledger', ok: 1, finding: null },
    { name: 'payments', ok: 1, finding: null },
    { name: 'schema', ok: 1, finding: null },
    { name: 'silentFreezes', ok: 1, finding: null },
    { name: 'size', ok: 1, finding: null },
    { name: 'treasury', ok: 1, finding: null },
    { name: 'wrappingKeys', ok: 1, finding: null },
  ])
  // One run checks everything, because there is so little.
  for (const scan of results.filter(({ name }) => name === 'everything' || name === 'auditLog'))
    expect(scan.checkpoint).toBe('')
  // One strategy a run.
  const gaps = () =>
    env.DB.prepare("SELECT checkpoint, finding FROM self_checks WHERE name = 'gaps'").first<{
      checkpoint: string
      finding: string | null
    }>()
  for (let minute = 1; minute <= 8; minute++) {
    expect(await gaps()).toEqual({ checkpoint: expect.stringContaining('after'), finding: null })
    await runSelfChecks(env, openDatabase(env.DB), nowMs + minute * 60_000)
  }
  expect(await gaps()).toEqual({ checkpoint: '', finding: null })
}, 120_000)

test('the seeded investor has two positions and a pending order, in strategies without a late day', async () => {
  const first = (query: string) => env.DB.prepare(query).first()
  expect(await first('SELECT count(*) AS n FROM strategies')).toEqual({ n: 8 })
  expect(await first('SELECT count(*) AS n FROM positions WHERE units > 0')).toEqual({ n: 2 })
  expect(await first("SELECT count(*) AS n FROM unit_orders WHERE status = 'pending'")).toEqual({ n: 1 })
  expect(await first('SELECT count(*) AS n FROM valuations WHERE recorded_at > day + 2 * 86400000')).toEqual({
    n: 0,
  })
  // Sixty opens, and the closes between them.
  expect(await first('SELECT count(*) AS n FROM valuations')).toEqual({ n: 8 * 119 })
})

test('a state after a movement that was edited is found', async () => {
  const edit = (units: number) =>
    withTriggerDropped(env.DB, 'position_history_follow', () =>
      env.DB.prepare('UPDATE position_history SET units = units + ? WHERE seq = 1').bind(units).run(),
    )
  await edit(1)
  await runSelfChecks(env, openDatabase(env.DB), Date.now() + 2 * DAY_MS)
  const { finding } = (await env.DB.prepare(
    "SELECT finding FROM self_checks WHERE name = 'everything'",
  ).first<{ finding: string | null }>()) ?? { finding: null }
  expect(finding).toMatch(/^The position \S+ in \S+ after movement 1 is not that of its movements$/)
})
