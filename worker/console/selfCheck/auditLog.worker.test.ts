import { env } from 'cloudflare:workers'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { DAY_MS } from '../../../src/time.ts'
import { withoutTriggers } from '../../../test/support/longHistory.ts'
import { mailsTo } from '../../../test/support/mailbox.ts'
import { newOperator, type Operator } from '../../../test/support/people.ts'
import { newId } from '../../lib/crypto/tokens.ts'
import { openDatabase } from '../../lib/database.ts'
import { sealAuditLog } from '../../platform/audit/seal.ts'
import { runSelfChecks } from './run.ts'

// The tests of this file build on each other, because the log is global.
const MANY = 12_000
let nowMs = Date.now()
let administrator: Operator
const alarms = vi.spyOn(console, 'error')

beforeEach(async () => {
  alarms.mockReset().mockImplementation(() => undefined)
  administrator ??= await newOperator()
})
afterEach(() => {
  nowMs += DAY_MS
})

const minute = async () => {
  await runSelfChecks(env, openDatabase(env.DB), nowMs)
  nowMs += 60_000
}
const standing = () =>
  env.DB.prepare("SELECT checkpoint, ok, finding FROM self_checks WHERE name = 'auditLog'").first<{
    checkpoint: string
    ok: number
    finding: string | null
  }>()
const told = async () =>
  (await mailsTo(administrator.email)).filter(({ subject }) => subject.includes('audit log'))

async function write(rows: number) {
  const insert = env.DB.prepare(
    "INSERT INTO audit_log (id, at, actor, action, subject) VALUES (?, 1, 'system', 'test.written', 'x')",
  )
  for (let at = 0; at < rows; at += 1000)
    await env.DB.batch(Array.from({ length: Math.min(1000, rows - at) }, () => insert.bind(newId())))
  await sealAuditLog(openDatabase(env.DB), nowMs)
  await sealAuditLog(openDatabase(env.DB), nowMs)
}

test('the audit log is compared with its seals once a day, some lines a minute until it is through', async () => {
  await write(MANY)
  await minute()
  const { checkpoint = '' } = (await standing()) ?? {}
  expect(JSON.parse(checkpoint)).toEqual({ after: 10_000, findings: [] })
  await minute()
  expect(await standing()).toEqual({ checkpoint: '', ok: 1, finding: null })
  const { results: before } = await env.DB.prepare('SELECT name, at FROM self_checks').all()
  await minute()
  expect(await env.DB.prepare('SELECT name, at FROM self_checks').all()).toMatchObject({ results: before })
  expect(await told()).toEqual([])
})

test('a changed audit line is named at each check, and mailed to administrators once', async () => {
  const change = (seq: number, actor: string) =>
    withoutTriggers(env.DB, () =>
      env.DB.prepare('UPDATE audit_log SET actor = ? WHERE seq = ?').bind(actor, seq).run(),
    )
  await change(11_500, 'somebody else')
  await minute()
  expect(await standing()).toMatchObject({ ok: 1 })
  await minute()
  const finding = 'Line 11500 of the audit log was changed'
  expect(await standing()).toEqual({ checkpoint: '', ok: 0, finding })
  expect(alarms).toHaveBeenCalledWith(expect.stringContaining(finding))
  const [mail] = await told()
  expect(mail?.subject).toBe('The self-check found a problem with the audit log')
  expect(mail?.text).toContain(`${finding}.`)
  // The next day's scan has not reached it yet. The known finding stays, and nothing is mailed again.
  nowMs += DAY_MS
  await minute()
  expect(await standing()).toMatchObject({ ok: 0, finding })
  await minute()
  await minute()
  expect(await told()).toHaveLength(1)

  // A different finding is mailed with the day's first one.
  await change(7, 'another')
  nowMs += DAY_MS
  await minute()
  const both = [finding, 'Line 7 of the audit log was changed'].join('. ')
  expect(await standing()).toMatchObject({ ok: 0, finding: both })
  await minute()
  expect((await told()).map(({ text }) => text.includes('Line 7 of'))).toEqual([true, false])

  // Once fixed, it starts over.
  await change(11_500, 'system')
  await change(7, 'system')
  nowMs += DAY_MS
  await minute()
  await minute()
  expect(await standing()).toEqual({ checkpoint: '', ok: 1, finding: null })
  await change(7, 'another')
  nowMs += DAY_MS
  await minute()
  expect(await told()).toHaveLength(3)
})
