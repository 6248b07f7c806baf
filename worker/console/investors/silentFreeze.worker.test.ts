import { env } from 'cloudflare:workers'
import { describe, expect, test } from 'vitest'
import type { AuditEntry } from '../../../src/contract/console/audit.ts'
import type { OperatorInvestor } from '../../../src/contract/console/investors.ts'
import { DAY_MS } from '../../../src/time.ts'
import { call, send } from '../../../test/support/http.ts'
import { newTxid } from '../../../test/support/ledger/txid.ts'
import {
  approveDeposit,
  approveProposal,
  approveWithdrawal,
  as,
  completeWithdrawal,
  deposit,
  propose,
  withdrawal,
} from '../../../test/support/operating.ts'
import { newInvestor, newOperator, type Operator, type Person } from '../../../test/support/people.ts'
import { setSetting } from '../../../test/support/settings.ts'
import { openDatabase } from '../../lib/database.ts'
import { runSelfChecks } from '../selfCheck/run.ts'

const SUSPICION = 'Filed a report about structuring'
const reserved = { status: 409, body: { code: 'decisions_reserved' } }

const freeze = (by: Operator, person: Person, reason = SUSPICION) =>
  as<OperatorInvestor>(by, 'POST', `/operator/investors/${person.id}/silent-freeze`, { reason })
const end = (by: Operator, person: Person) =>
  as(by, 'POST', `/operator/investors/${person.id}/silent-freeze/end`)
const note = (by: Operator, person: Person, confidential: boolean) =>
  as(by, 'POST', `/operator/investors/${person.id}/notes`, {
    text: `${SUSPICION}, ${confidential}`,
    confidential,
  })

/** Everything that a person can read about themselves. */
async function everythingRead({ token }: Person): Promise<string> {
  const paths = [
    '/users/user-info',
    '/users/activity',
    '/transaction-history',
    '/users/notifications',
    '/kyc',
  ]
  const texts = await Promise.all(
    [...paths, '/limits', '/users/closing', '/payments'].map(async (path) =>
      (await send('GET', path, { token })).text(),
    ),
  )
  return [...texts, await (await send('GET', '/users/data', { token })).text()].join('\n')
}

async function mailsTo({ email }: Person): Promise<number> {
  const row = await env.DB.prepare(
    "SELECT count(*) AS mails FROM outbox WHERE recipient = ? AND subject NOT LIKE '%download%'",
  )
    .bind(email)
    .first()
  return Number(row?.mails)
}

describe('a silent freeze', () => {
  test('the person notices nothing of a silent freeze, and nothing is approved, rejected, credited or paid', async () => {
    const [operator, other] = [await newOperator(), await newOperator()]
    const ana = await newInvestor({ availableCents: 1000_00 })
    const approved = await withdrawal(ana, '10')
    await approveWithdrawal(other, approved)
    // Each read adds its own data download.
    const first = await everythingRead(ana)
    const [before, mailsBefore] = [await everythingRead(ana), await mailsTo(ana)]
    expect(await freeze(operator, ana)).toMatchObject({
      status: 200,
      body: { frozen: false, isReserved: true, silentFreeze: { reason: SUSPICION } },
    })
    const after = await everythingRead(ana)
    const growth = before.length - first.length
    expect(Math.abs(after.length - before.length - growth)).toBeLessThan(20)
    expect(after).not.toMatch(/silent|reserved|structuring|confidential/i)
    expect(await mailsTo(ana)).toBe(mailsBefore)

    // The account files as usual.
    const [paidIn, waiting] = [await deposit(ana, '50'), await withdrawal(ana, '20')]
    expect(await approveDeposit(operator, paidIn)).toMatchObject(reserved)
    expect(await approveDeposit(operator, await deposit(ana, '9000'))).toMatchObject(reserved)
    expect(await approveWithdrawal(operator, waiting)).toMatchObject(reserved)
    expect(await completeWithdrawal(operator, approved)).toMatchObject(reserved)
    for (const path of [`deposits/${paidIn}`, `withdrawals/${waiting}`, `withdrawals/${approved}`])
      expect(await as(operator, 'POST', `/operator/${path}/reject`, { reason: 'No' })).toMatchObject(reserved)
    const bonus = await propose(other, { kind: 'bonus', investor: ana.id, amount: 5, reason: 'Thanks' })
    expect(await approveProposal(operator, bonus.body._id)).toMatchObject(reserved)
    const statuses = await env.DB.prepare(
      'SELECT status, count(*) AS n FROM requests WHERE investor = ? GROUP BY status',
    )
      .bind(ana.id)
      .all<{ status: string; n: number }>()
    expect(statuses.results).toContainEqual({ status: 'pending', n: 3 })
    expect((await call('POST', `/withdrawals/${waiting}/cancel`, { token: ana.token })).status).toBe(200)

    // Its end lets decisions go on.
    expect((await end(operator, ana)).status).toBe(200)
    expect((await approveDeposit(operator, paidIn)).status).toBe(200)
    expect((await completeWithdrawal(operator, approved, { reference: newTxid() })).status).toBe(200)
    expect(await everythingRead(ana)).not.toMatch(/silent|reserved|structuring|confidential/i)
  })

  test('hand-written SQL decides nothing under a silent freeze, nor changes or deletes it', async () => {
    const operator = await newOperator()
    const ana = await newInvestor({ availableCents: 100_00 })
    const id = await withdrawal(ana, '10')
    await freeze(operator, ana)
    const writes = [
      `INSERT INTO request_events (request, status, at, actor, investor) VALUES ('${id}', 'approved', 1, '${operator.id}', '${ana.id}')`,
      `INSERT INTO request_events (request, status, at, actor, investor) VALUES ('${id}', 'approved', 1, 'system', '${ana.id}')`,
      `UPDATE silent_freezes SET reason = 'None' WHERE investor = '${ana.id}'`,
      `UPDATE silent_freezes SET ended_at = 9999999999999, ended_by = '${ana.id}' WHERE investor = '${ana.id}'`,
      `DELETE FROM silent_freezes WHERE investor = '${ana.id}'`,
    ]
    for (const write of writes)
      await expect(env.DB.prepare(write).run()).rejects.toThrow(
        /decisions_reserved|payment_not_proved|silent_freezes|forbidden/,
      )
  })

  test('only the role of the settings begins, reads and ends one; others see that decisions are reserved', async () => {
    const [reviewer, auditor] = [
      await newOperator({ roles: ['reviewer', 'treasurer'] }),
      await newOperator({ roles: ['auditor'] }),
    ]
    const administrator = await newOperator({ roles: ['administrator'] })
    const ana = await newInvestor()
    expect((await freeze(reviewer, ana)).status).toBe(403)
    expect((await freeze(administrator, ana)).status).toBe(200)
    const shown = async (by: Operator) =>
      (await as<OperatorInvestor>(by, 'GET', `/operator/investors/${ana.id}`)).body
    const summary = async (by: Operator) =>
      (await as<{ reserved?: string }>(by, 'GET', `/operator/investors/${ana.id}/known`)).body.reserved
    for (const by of [administrator, auditor]) {
      expect(await shown(by)).toMatchObject({ isReserved: true, silentFreeze: { reason: SUSPICION } })
      expect(await summary(by)).toBe('silent_freeze')
    }
    const seen = await shown(reviewer)
    expect(seen).toMatchObject({ isReserved: true, frozen: false })
    expect(seen.silentFreeze).toBeUndefined()
    expect(await summary(reviewer)).toBe('role')
    expect((await end(reviewer, ana)).status).toBe(403)

    const lines = async (by: Operator) =>
      (await as<AuditEntry[]>(by, 'GET', `/operator/audit-log?subject=${ana.id}`)).body.map(
        ({ action }) => action,
      )
    for (const by of [administrator, auditor]) expect(await lines(by)).toContain('investor.silently_frozen')
    expect(await lines(reviewer)).not.toContain('investor.silently_frozen')
    expect(
      await (
        await send('GET', `/operator/audit-log?subject=${ana.id}&format=csv`, { token: reviewer.token })
      ).text(),
    ).not.toContain('silent')

    await setSetting('confidentialRole', 'reviewer')
    expect((await end(administrator, ana)).status).toBe(403)
    expect((await end(reviewer, ana)).status).toBe(200)
    expect(await end(reviewer, ana)).toMatchObject({ status: 409, body: { code: 'already_decided' } })
    await setSetting('confidentialRole', 'administrator')
  })

  test('one that is older than the setting raises an alarm until it is renewed or ended', async () => {
    const operator = await newOperator()
    const ana = await newInvestor()
    await freeze(operator, ana)
    const finding = async (days: number) => {
      await env.DB.prepare("DELETE FROM self_checks WHERE name = 'silentFreezes'").run()
      await runSelfChecks(env, openDatabase(env.DB), Date.now() + days * DAY_MS)
      return (await env.DB.prepare("SELECT finding FROM self_checks WHERE name = 'silentFreezes'").first())
        ?.finding
    }
    await env.DB.prepare(
      'UPDATE silent_freezes SET ended_at = begun_at, ended_by = ? WHERE investor <> ? AND ended_at IS NULL',
    )
      .bind(operator.id, ana.id)
      .run()
    expect(await finding(13)).toBeNull()
    expect(await finding(15)).toBe('1 silent freeze is older than 14 days: Renew or end each')
    expect((await freeze(operator, ana, 'Still open')).body).toMatchObject({
      silentFreeze: { reason: 'Still open' },
    })
    await end(operator, ana)
    expect(await finding(15)).toBeNull()
  })
})

describe('a confidential note', () => {
  test('a confidential note is for the role of the settings and auditors, and in no download', async () => {
    const reviewer = await newOperator({ roles: ['reviewer'] })
    const [administrator, auditor] = [
      await newOperator({ roles: ['administrator'] }),
      await newOperator({ roles: ['auditor'] }),
    ]
    const ana = await newInvestor()
    expect((await note(reviewer, ana, true)).status).toBe(403)
    expect((await note(reviewer, ana, false)).status).toBe(201)
    expect(await note(administrator, ana, true)).toMatchObject({ status: 201, body: { confidential: true } })
    const notes = async (by: Operator) =>
      (await as<{ text: string }[]>(by, 'GET', `/operator/investors/${ana.id}/notes`)).body.map(
        ({ text }) => text,
      )
    for (const by of [administrator, auditor])
      expect(await notes(by)).toEqual([`${SUSPICION}, true`, `${SUSPICION}, false`])
    expect(await notes(reviewer)).toEqual([`${SUSPICION}, false`])
    const data = await everythingRead(ana)
    expect(data).toContain(`${SUSPICION}, false`)
    expect(data).not.toContain(`${SUSPICION}, true`)
    expect(data).not.toContain('confidential')
  })
})
