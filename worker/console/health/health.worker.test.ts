import { env } from 'cloudflare:workers'
import { expect, test } from 'vitest'
import type { OperatorHealth } from '../../../src/contract/console/health.ts'
import { callCounted } from '../../../test/support/app.ts'
import { countQueries } from '../../../test/support/counting.ts'
import { call } from '../../../test/support/http.ts'
import { as } from '../../../test/support/operating.ts'
import { newInvestor, newOperator } from '../../../test/support/people.ts'
import { readUnsearched } from '../../chains/follow/unsearchedBlocks.ts'
import { runDueWork } from '../../cron.ts'
import { toIso } from '../../http/paging.ts'
import { openDatabase } from '../../lib/database.ts'
import { type JobRun, recordWork } from '../../platform/health/cronWork.ts'

// The tests of this file build on each other: failures stay counted.
const db = openDatabase(env.DB)
const [MINUTE, HOUR] = [60_000, 3_600_000]
const operator = await newOperator({ name: 'Olu Bello', roles: ['auditor'] })
const health = async () => (await as<OperatorHealth>(operator, 'GET', '/operator/health')).body

async function mails(count: number, error: string | null, ageMs: number, dueInMs = HOUR): Promise<void> {
  const at = Date.now() - ageMs
  await env.DB.prepare(
    `WITH RECURSIVE n (i) AS (VALUES (1) UNION ALL SELECT i + 1 FROM n WHERE i < ?1)
     INSERT INTO outbox (id, recipient, subject, created_at, next_attempt_at, attempts, last_error)
     SELECT hex(randomblob(16)), 'ana' || i || '@example.com', 'Secret subject', ?2, ?3, 3, ?4 FROM n`,
  )
    .bind(count, at, Date.now() + dueInMs, error)
    .run()
}

test('before anything ran, nothing is reported as healthy', async () => {
  const body = await health()
  expect(body).toMatchObject({
    mail: { carried: true, waiting: 0, oldest: null, failing: [], failingSince: null },
    cron: { at: null, work: [] },
    checks: [],
    signIns: { hours: [], locked: { accounts: 0, addresses: 0 } },
  })
  expect(body.operators).toEqual([
    {
      _id: operator.id,
      name: 'Olu Bello',
      roles: ['auditor'],
      sessions: 1,
      lastSeenAt: expect.stringMatching(/Z$/),
    },
  ])
})

test('the cron’s work is noted, with its self-checks', async () => {
  await runDueWork(env, Date.now())
  const { cron, checks } = await health()
  expect(Date.now() - Date.parse(cron.at ?? '')).toBeLessThan(MINUTE)
  expect(cron.work.map(({ name }) => name)).toEqual(expect.arrayContaining(['outbox', 'selfCheck', 'market']))
  expect(cron.work.filter(({ failedSince }) => failedSince !== null)).toEqual([])
  expect(checks.map(({ name, ok }) => [name, ok])).toContainEqual(['schema', true])
})

test('a failing job is noted, and the jobs after it run', async () => {
  await env.DB.prepare('DELETE FROM cron_work').run()
  await env.DB.prepare('ALTER TABLE outbox RENAME TO missing').run()
  await runDueWork(env, Date.now())
  await env.DB.prepare('ALTER TABLE missing RENAME TO outbox').run()
  const { work } = (await health()).cron
  expect(work.find(({ name }) => name === 'outbox')).toMatchObject({ failedSince: expect.any(String) })
  expect(work.find(({ name }) => name === 'books')).toMatchObject({ failedSince: null })
  expect(work.map(({ name }) => name)).toContain('reserves')
})

test('a quiet minute writes one row; a failure, its end and another failure are recorded at once', async () => {
  const start = Date.UTC(2030, 0, 1)
  const ran = (minute: number, error: string | null = null, tookMs = 3): JobRun[] =>
    ['cron', 'a', 'b'].map((name) => ({
      name,
      at: start + minute * MINUTE,
      tookMs,
      error: name === 'a' ? error : null,
    }))
  const written = async (runs: readonly JobRun[]) => {
    const { binding, counted } = countQueries(env.DB)
    await recordWork(openDatabase(binding), runs)
    return counted.rowsWritten
  }
  const a = () =>
    env.DB.prepare("SELECT at, longest_ms, failed_since, error FROM cron_work WHERE name = 'a'").first()
  await env.DB.prepare('DELETE FROM cron_work').run()
  await recordWork(db, ran(0))
  expect(await written(ran(1))).toBe(1)
  expect(await written(ran(2, 'SQLITE_ERROR'))).toBe(2)
  expect(await written(ran(3, 'SQLITE_ERROR'))).toBe(1)
  expect(await a()).toMatchObject({ failed_since: start + 2 * MINUTE, error: 'SQLITE_ERROR' })
  expect(await written(ran(4, 'timed out', 90))).toBe(3)
  expect(await a()).toMatchObject({ failed_since: start + 2 * MINUTE, error: 'timed out', longest_ms: 90 })
  expect(await written(ran(5))).toBe(2)
  expect(await a()).toMatchObject({ failed_since: null, error: null, longest_ms: 90 })
  expect(await written(ran(10))).toBe(1)
  // Each job half an hour after its last record.
  expect(await written(ran(34))).toBe(2)
  expect(await written(ran(35))).toBe(2)
  await recordWork(db, ran(24 * 60))
  expect(await a()).toMatchObject({ longest_ms: 3, at: start + 24 * HOUR })
})

test('waiting mails are shown with their age and failing ones by kind, without their recipients', async () => {
  await mails(2, 'Resend answered 422', 5 * HOUR)
  await mails(1, '550 the mailbox of ana@example.com is full', 2 * HOUR)
  await mails(4, null, MINUTE)
  const body = await health()
  expect(body.mail).toMatchObject({
    waiting: 7,
    failing: [
      { error: 'Resend answered 422', count: 2 },
      { error: 'other', count: 1 },
    ],
  })
  expect(body.mail.oldest).toBe(body.mail.failingSince)
  expect(Date.now() - Date.parse(body.mail.oldest ?? '')).toBeGreaterThan(5 * HOUR - MINUTE)
  expect(JSON.stringify(body)).not.toMatch(/ana|Secret/)
})

test('only an administrator retries failed mails, at once and audited', async () => {
  expect((await as(operator, 'POST', '/operator/outbox/retry')).status).toBe(403)
  // One of these is being delivered right now.
  await mails(1, 'Resend answered 500', HOUR, 30_000)
  const administrator = await newOperator({ roles: ['administrator'] })
  const { body } = await as<{ tried: number }>(administrator, 'POST', '/operator/outbox/retry')
  expect(body).toEqual({ msg: '3 mails are being tried again.', tried: 3 })
  const line = await env.DB.prepare(
    "SELECT actor, detail FROM audit_log WHERE action = 'outbox.retried'",
  ).first()
  expect(line).toEqual({ actor: administrator.id, detail: '{"mails":3}' })
  await expect
    .poll(async () => (await health()).mail.failing)
    .toEqual([{ error: 'Resend answered 500', count: 1 }])
})

test('blocks that could not be searched are shown, and an administrator has them searched again', async () => {
  const block = (height: number, failures: number) =>
    env.DB.prepare(
      "INSERT INTO unsearched_blocks VALUES ('ethereum', ?1, 'h', ?2, 'does not answer in time', 1, ?3)",
    )
      .bind(height, failures, Date.now())
      .run()
  await block(7, 2)
  await block(8, 3)
  expect((await health()).chains.unsearched).toEqual([
    { chain: 'ethereum', height: 8, fault: 'does not answer in time', failures: 3, since: toIso(1) },
  ])
  expect((await as(operator, 'POST', '/operator/blocks/retry')).status).toBe(403)
  const administrator = await newOperator({ roles: ['administrator'] })
  const { body } = await as<{ msg: string; tried: number }>(administrator, 'POST', '/operator/blocks/retry')
  expect(body).toEqual({ msg: 'The blocks are searched again, two in each minute.', tried: 2 })
  expect(await readUnsearched(db, 'ethereum', Date.now())).toMatchObject([{ height: 7 }, { height: 8 }])
  await env.DB.prepare('DELETE FROM unsearched_blocks').run()
})

test('failed sign-ins are counted by hour and cause, limited accounts are counted, and nobody is named', async () => {
  const ana = await newInvestor({ totpSecret: 'JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP' })
  const signIn = (json: object) => call('POST', '/auth/login', { json })
  await signIn({ email: 'stranger@example.com', password: 'wrong' })
  // With the right password a code is requested: nothing failed.
  await signIn({ email: ana.email, password: ana.password })
  await signIn({ email: ana.email, password: ana.password, code: '000000' })
  for (let n = 0; n < 10; n++) await signIn({ email: 'locked@example.com', password: 'wrong' })
  expect((await signIn({ email: 'locked@example.com', password: 'wrong' })).status).toBe(429)
  await expect
    .poll(async () =>
      Object.fromEntries((await health()).signIns.hours.map(({ cause, count }) => [cause, count])),
    )
    .toEqual({ password: 11, code: 1, too_many: 1 })
  const { signIns } = await health()
  expect(signIns.locked).toEqual({ accounts: 1, addresses: 0 })
  expect(JSON.stringify(signIns)).not.toContain('@')
})

test('reads are bounded, however many mails wait or fail', async () => {
  await mails(1500, 'Resend answered 500', HOUR)
  await mails(1500, null, HOUR)
  const hour = Math.floor(Date.now() / HOUR) * HOUR
  await env.DB.prepare(
    `WITH RECURSIVE n (i) AS (VALUES (1) UNION ALL SELECT i + 1 FROM n WHERE i < 2000)
     INSERT INTO sign_in_failures (hour, cause, count) SELECT ?1 - i * 3600000, 'passkey', 1 FROM n`,
  )
    .bind(hour)
    .run()
  const { counted, body } = await callCounted<OperatorHealth>('GET', '/operator/health', {
    token: operator.token,
  })
  const { mail, signIns } = body
  expect(mail.waiting).toBe(1000)
  expect(mail.failing).toEqual([{ error: 'Resend answered 500', count: 1000 }])
  expect(signIns.hours.length).toBeLessThan(7 * 24 + 5)
  expect(counted.trips).toBe(2)
  expect(counted.rowsRead).toBeLessThan(6_000)
})
