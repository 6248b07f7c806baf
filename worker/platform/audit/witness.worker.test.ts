import { env } from 'cloudflare:workers'
import { expect, test } from 'vitest'
import type { AuditVerdict } from '../../../src/contract/console/audit.ts'
import { DAY_MS } from '../../../src/time.ts'
import { call } from '../../../test/support/http.ts'
import { linkIn, mailsTo } from '../../../test/support/mailbox.ts'
import { as } from '../../../test/support/operating.ts'
import { newOperator } from '../../../test/support/people.ts'
import { runDueWork } from '../../cron.ts'
import { newId } from '../../lib/crypto/tokens.ts'
import { openDatabase } from '../../lib/database.ts'
import type { Env } from '../../lib/env.ts'
import { GENESIS, sealHash } from './compare.ts'
import { sealAuditLog } from './seal.ts'
import { mailAuditHead } from './witness.ts'

// The tests of this file build on each other: the last one rewrites the log.
const db = openDatabase(env.DB)
const START_MS = Date.parse('2026-06-01T00:00:10.000Z')
const witness = 'witness@example.net'
const witnessed: Env = { ...env, AUDIT_WITNESS_ADDRESS: witness }

const write = () =>
  env.DB.prepare(
    "INSERT INTO audit_log (id, at, actor, action, subject) VALUES (?, 1, 'system', 'test.written', 'x')",
  )
    .bind(newId())
    .run()
const newestHead = () =>
  env.DB.prepare('SELECT last_seq AS seq, hash FROM audit_blocks ORDER BY seq DESC LIMIT 1').first<{
    seq: number
    hash: string
  }>()
const verify = async (query: string) =>
  as<AuditVerdict>(await newOperator(), 'GET', `/operator/audit-log/verify?${query}`)

test('nobody is mailed without an address, nor before the first seal', async () => {
  await mailAuditHead(env, db, START_MS)
  await mailAuditHead(witnessed, db, START_MS)
  expect(await mailsTo(witness)).toEqual([])
})

test('the head is mailed once a day, also if cron runs twice in parallel', async () => {
  await write()
  await sealAuditLog(db, START_MS)
  const head = await newestHead()
  await Promise.all([1, 2, 3].map(() => mailAuditHead(witnessed, db, START_MS)))
  await mailAuditHead(witnessed, db, START_MS + DAY_MS - 20_000)
  const [mail, ...others] = await mailsTo(witness)
  expect(others).toEqual([])
  expect(mail?.subject).toContain('2026-06-01')
  expect(mail?.text).toContain(`Line: ${head?.seq}`)
  expect(mail?.text).toContain(`Hash: ${head?.hash}`)
  expect(mail?.text).toContain('Sealed at: 2026-06-01T00:00:10.000Z')
  expect(mail?.text).toContain('GET /api/v1/operator/audit-log/verify')

  // Also the next day without new lines, because a missing mail is a warning.
  await mailAuditHead(witnessed, db, START_MS + DAY_MS)
  expect(await mailsTo(witness)).toHaveLength(2)
})

test('the cron mails it', async () => {
  await runDueWork(witnessed, START_MS + 2 * DAY_MS)
  expect(await mailsTo(witness)).toHaveLength(3)
})

test('the link of a mailed head verifies it until somebody rewrites the log', async () => {
  await write()
  await sealAuditLog(db, START_MS + 3 * DAY_MS)
  await mailAuditHead(witnessed, db, START_MS + 3 * DAY_MS)
  const [mail] = await mailsTo(witness)
  const link = linkIn(mail ?? { subject: '', text: '', html: '', headers: {} }, '/operator/audit-log')
  const query = link.searchParams.toString()
  expect((await verify(query)).body).toMatchObject({ ok: true, head: true })
  expect((await verify('after=0')).body).not.toHaveProperty('head')
  // Later blocks do not change the result.
  await write()
  await sealAuditLog(db, START_MS + 3 * DAY_MS)
  expect((await verify(query)).body).toMatchObject({ head: true })

  for (const bad of [
    `seq=${link.searchParams.get('seq')}&hash=${'0'.repeat(64)}`,
    `seq=999999&hash=${link.searchParams.get('hash')}`,
  ])
    expect((await verify(bad)).body).toMatchObject({ ok: false, head: false })
  for (const bad of ['seq=1', `hash=${'a'.repeat(64)}`, 'seq=x&hash=y', `seq=1&hash=${'A'.repeat(64)}`])
    expect(await verify(bad)).toMatchObject({ status: 422 })
  expect(await call('GET', `/operator/audit-log/verify?${query}`)).toMatchObject({ status: 401 })

  // Somebody with all rights deletes a line and rebuilds all seals. Only the mailed head reveals it.
  for (const { name } of (
    await env.DB.prepare(
      "SELECT name FROM sqlite_master WHERE type = 'trigger' AND tbl_name IN ('audit_log', 'audit_blocks', 'audit_unsealed')",
    ).all<{ name: string }>()
  ).results)
    await env.DB.exec(`DROP TRIGGER ${name}`)
  const { results } = await env.DB.prepare('SELECT seq, entries FROM audit_blocks ORDER BY seq').all<{
    seq: number
    entries: string
  }>()
  let previous = GENESIS
  for (const { seq, entries } of results) {
    const changed =
      seq === results[0]?.seq ? entries.replace(/ [0-9a-f]/, (at) => (at === ' 0' ? ' 1' : ' 0')) : entries
    const hash = await sealHash(previous, changed)
    await env.DB.prepare('UPDATE audit_blocks SET entries = ?, previous_hash = ?, hash = ? WHERE seq = ?')
      .bind(changed, previous, hash, seq)
      .run()
    previous = hash
  }
  expect((await verify(query)).body).toMatchObject({ ok: false, head: false })
})
