import { env } from 'cloudflare:workers'
import { expect, test } from 'vitest'
import type { AuditEntry } from '../../../src/contract/operator/audit.ts'
import { runDueWork } from '../../cron.ts'
import { send } from '../../dev/testing/http.ts'
import { approveDeposit, as, deposit } from '../../dev/testing/operating.ts'
import { newInvestor, newOperator } from '../../dev/testing/people.ts'
import { newId } from '../../lib/crypto/tokens.ts'
import { openDatabase } from '../../lib/database.ts'
import { sealAuditLog } from './seal.ts'
import type { Verdict } from './verify.ts'

// The tests of this file follow each other: the log is everybody's, and the last ones break it.
const verdict = async () => (await as<Verdict>(await newOperator(), 'GET', '/operator/audit-log/verify')).body

async function write(rows: number) {
  const insert = env.DB.prepare(
    'INSERT INTO audit_log (id, at, actor, action, subject) VALUES (?, ?, ?, ?, ?)',
  )
  await env.DB.batch(
    Array.from({ length: rows }, (_, n) =>
      insert.bind(newId(), 1000 + n, 'system', 'test.written', `row ${n}`),
    ),
  )
}

const seal = () => sealAuditLog(openDatabase(env.DB), Date.now())
const total = () => env.DB.prepare('SELECT count(*) AS n FROM audit_log').first<number>('n')

test('the log says who did what to whom, newest first, page by page', async () => {
  const ana = await newInvestor()
  const operator = await newOperator()
  const id = await deposit(ana, '100')
  await approveDeposit(operator, id)
  const first = await as<AuditEntry[]>(operator, 'GET', '/operator/audit-log?limit=1')
  expect(first.body).toEqual([
    {
      _id: expect.any(String),
      at: expect.stringMatching(/Z$/),
      actor: operator.id,
      action: 'deposit.credited',
      subject: id,
    },
  ])
  const [, next = ''] = /<\/api\/v1(.+)>/.exec(first.headers.get('Link') ?? '') ?? []
  const [second] = (await as<AuditEntry[]>(operator, 'GET', next)).body
  expect(second).toMatchObject({ actor: ana.id, action: 'deposit.requested', subject: id })
})

test('the log of one actor, or about one subject, pages by itself, and comes as a file', async () => {
  const ana = await newInvestor()
  const operator = await newOperator()
  const ids = [await deposit(ana, '100'), await deposit(ana, '200')]
  await approveDeposit(operator, ids[0] ?? '')
  const subjects = async (query: string) => {
    const { body } = await as<AuditEntry[]>(operator, 'GET', `/operator/audit-log?${query}`)
    return body.map(({ action, subject }) => `${action} ${ids.indexOf(subject)}`)
  }
  expect(await subjects(`actor=${operator.id}`)).toEqual(['deposit.credited 0'])
  expect(await subjects(`subject=${ids[0]}`)).toEqual(['deposit.credited 0', 'deposit.requested 0'])
  expect(await subjects(`subject=${ids[0]}&actor=${ana.id}`)).toEqual(['deposit.requested 0'])
  const first = await as<AuditEntry[]>(operator, 'GET', `/operator/audit-log?subject=${ids[0]}&limit=1`)
  expect(first.headers.get('Link')).toContain(`subject=${ids[0]}`)
  expect((await as(operator, 'GET', '/operator/audit-log?actor=%27or%201')).status).toBe(422)
  expect((await as(operator, 'GET', '/operator/audit-log?format=xml')).status).toBe(422)

  await env.DB.prepare(
    "INSERT INTO audit_log (id, at, actor, action, subject) VALUES (?, 1, 'system', '=cmd()', 'formula')",
  )
    .bind(newId())
    .run()
  const file = await send('GET', '/operator/audit-log?format=csv&subject=formula', { token: operator.token })
  expect(file.headers.get('Content-Disposition')).toMatch(
    /^attachment; filename="[a-z-]+-audit-log-[\d-]+\.csv"$/,
  )
  const [header, row, ...rest] = (await file.text()).split('\r\n')
  expect(header).toBe('Number,Id,Time (UTC),Actor,Action,Subject,Detail')
  expect(row).toMatch(/,1970-01-01T00:00:00\.001Z,system,'=cmd\(\),formula,\{\}$/)
  expect(rest).toEqual([''])
})

test('the log holds ids and figures, no names, addresses or references', async () => {
  const { results } = await env.DB.prepare('SELECT * FROM audit_log').all()
  const text = JSON.stringify(results)
  expect(text).toContain('amountCents')
  for (const secret of ['example.com', 'Ana', 'Torres', 'tb1q']) expect(text).not.toContain(secret)
})

test('what was not sealed yet is counted as such, and the minute’s work seals it', async () => {
  const rows = await total()
  expect(await verdict()).toEqual({ ok: true, sealed: 0, unsealed: rows })
  await runDueWork(env, Date.now())
  expect(await verdict()).toEqual({ ok: true, sealed: rows, unsealed: 0 })
  expect(await seal()).toBe(0)
})

test('a long log is sealed in blocks that continue each other', async () => {
  const before = (await total()) ?? 0
  await write(1203)
  expect(await seal()).toBe(1203)
  await write(2)
  expect(await verdict()).toEqual({ ok: true, sealed: before + 1203, unsealed: 2 })
  const { results } = await env.DB.prepare('SELECT * FROM audit_blocks ORDER BY seq').all<
    Record<string, unknown>
  >()
  expect(results).toHaveLength(4)
  for (const [index, block] of results.entries()) {
    expect(block.previous_hash).toBe(results[index - 1]?.hash ?? '0'.repeat(64))
  }
})

test('of two that seal at once one wins, and the chain stays whole', async () => {
  await write(10)
  const outcomes = await Promise.allSettled([seal(), seal(), seal()])
  expect(outcomes.filter(({ status }) => status === 'fulfilled').length).toBeGreaterThan(0)
  expect(await verdict()).toMatchObject({ ok: true, unsealed: 0 })
})

test('entries and blocks can neither be changed nor deleted', async () => {
  for (const statement of [
    "UPDATE audit_log SET actor = 'nobody'",
    'DELETE FROM audit_log',
    "INSERT OR REPLACE INTO audit_log (seq, id, at, actor, action, subject) VALUES (1, 'x', 0, 'a', 'b', 'c')",
    "UPDATE audit_blocks SET hash = 'x'",
    'DELETE FROM audit_blocks',
  ]) {
    await expect(env.DB.prepare(statement).run(), statement).rejects.toThrow(/audit: /)
  }
})

// From here on the triggers are gone, as if somebody had the database itself in their hands.
test('an entry that was edited behind the log’s back is found, and named by its block', async () => {
  await env.DB.prepare('DROP TRIGGER audit_log_keeps_rows').run()
  await env.DB.prepare('DROP TRIGGER audit_log_keeps_all_rows').run()
  const block = await env.DB.prepare(
    'SELECT l.id, l.seq, b.last_seq FROM audit_blocks b JOIN audit_log l ON l.seq = b.first_seq WHERE b.seq = 3',
  ).first<{ id: string; seq: number; last_seq: number }>()
  if (block === null) throw new Error('There are three blocks.')
  const edit = (value: string) =>
    env.DB.prepare('UPDATE audit_log SET actor = ? WHERE seq = ?')
      .bind(value, block.seq + 1)
      .run()
  await edit('somebody else')
  expect(await verdict()).toMatchObject({ ok: false, brokenAt: block.id })
  await edit('system')
  expect(await verdict()).toMatchObject({ ok: true })
})

test('an entry that was taken out, or put between, is found', async () => {
  const taken = await env.DB.prepare('SELECT * FROM audit_log WHERE seq = 2').first<
    Record<string, string | number>
  >()
  await env.DB.prepare('DELETE FROM audit_log WHERE seq = 2').run()
  expect(await verdict()).toMatchObject({ ok: false, sealed: 0 })
  const insert = env.DB.prepare(
    'INSERT INTO audit_log (seq, id, at, actor, action, subject, detail) VALUES (?, ?, ?, ?, ?, ?, ?)',
  )
  const { seq, id, at, actor, action, subject, detail } = taken ?? {}
  await insert.bind(seq, id, at, actor, action, subject, detail).run()
  expect(await verdict()).toMatchObject({ ok: true })
  await insert.bind(-5, newId(), 0, 'system', 'test.backdated', 'x', '{}').run()
  expect(await verdict()).toMatchObject({ ok: false, sealed: 0 })
})
