import { env } from 'cloudflare:workers'
import { expect, test } from 'vitest'
import { runDueWork } from '../cron.ts'
import { seedWhenEmpty } from '../dev/seed/seed.ts'

test('the cron finds a seeded platform in order', async () => {
  const nowMs = Date.now()
  await seedWhenEmpty(env, nowMs)
  await runDueWork(env, nowMs)
  const { results } = await env.DB.prepare(
    'SELECT name, ok, finding, checkpoint FROM self_checks ORDER BY name',
  ).all<{ name: string; ok: number; finding: string | null; checkpoint: string }>()
  expect(results.map(({ name, ok, finding }) => ({ name, ok, finding }))).toEqual([
    { name: 'auditLog', ok: 1, finding: null },
    { name: 'everything', ok: 1, finding: null },
    { name: 'ledger', ok: 1, finding: null },
    { name: 'schema', ok: 1, finding: null },
    { name: 'wrappingKeys', ok: 1, finding: null },
  ])
  // The whole of so little is looked through in one run.
  for (const scan of results.filter(({ name }) => name === 'everything' || name === 'auditLog'))
    expect(scan.checkpoint).toBe('')
})
