import { env } from 'cloudflare:workers'
import { describe, expect, test } from 'vitest'
import type {
  InvestorDocument,
  OperatorEntry,
  OperatorSession,
  ReceivedMessages,
} from '../../../src/contract/console/investorFile.ts'
import type { InvestorNote } from '../../../src/contract/console/investors.ts'
import type { ActivityRow } from '../../../src/contract/identity/activity.ts'
import type { Transaction } from '../../../src/contract/money/transactions.ts'
import { fileDeposit } from '../../../test/support/filing.ts'
import { send } from '../../../test/support/http.ts'
import { txid } from '../../../test/support/ledger/txid.ts'
import { addHistory } from '../../../test/support/longHistory.ts'
import { HOSTILE_MARKUP } from '../../../test/support/markup.ts'
import { approveProposal, as, propose, withdrawal } from '../../../test/support/operating.ts'
import { anotherSession, newInvestor, newOperator } from '../../../test/support/people.ts'
import { setSetting } from '../../../test/support/settings.ts'

const PARTS = [
  '',
  '/entries',
  '/requests',
  '/documents',
  '/sessions',
  '/activity',
  '/notes',
  '/notifications',
]

async function actsOn(subject: string, actor: string): Promise<string[]> {
  const { results } = await env.DB.prepare(
    'SELECT action FROM audit_log WHERE subject = ? AND actor = ? ORDER BY seq',
  )
    .bind(subject, actor)
    .all<{ action: string }>()
  return results.map(({ action }) => action)
}

describe('a look at an investor’s file', { timeout: 60_000 }, () => {
  test('looks at an investor’s file are one audit line an hour for each operator, for any part', async () => {
    const [operator, other] = [await newOperator(), await newOperator({ roles: ['auditor'] })]
    const ana = await newInvestor()
    for (const part of PARTS)
      expect((await as(operator, 'GET', `/operator/investors/${ana.id}${part}`)).status).toBe(200)
    expect(await actsOn(ana.id, operator.id)).toEqual(['investor.viewed'])
    for (const part of PARTS) await as(other, 'GET', `/operator/investors/${ana.id}${part}`)
    expect(await actsOn(ana.id, other.id)).toEqual(['investor.viewed'])

    // Another investor's file counts as another look, and so does the same one an hour later.
    const ben = await newInvestor()
    await as(operator, 'GET', `/operator/investors/${ben.id}/sessions`)
    expect(await actsOn(ben.id, operator.id)).toEqual(['investor.viewed'])
    const late = await newOperator()
    await env.DB.prepare(
      `INSERT INTO audit_log (id, at, actor, action, subject, detail) VALUES ('old-look', ?, ?, 'investor.viewed', ?, '{}')`,
    )
      .bind(Date.now() - 3_600_001, late.id, ana.id)
      .run()
    await as(late, 'GET', `/operator/investors/${ana.id}`)
    expect(await actsOn(ana.id, late.id)).toEqual(['investor.viewed', 'investor.viewed'])
  })

  test('a look at somebody who is not an investor is refused and not audited', async () => {
    const operator = await newOperator()
    for (const id of [operator.id, 'nobody'])
      for (const part of PARTS) {
        expect((await as(operator, 'GET', `/operator/investors/${id}${part}`)).status).toBe(404)
        expect(await actsOn(id, operator.id)).toEqual([])
      }
  })
})

describe('an investor’s entries', () => {
  test('entries name their cause, filter by account, and are exported as an audited file', async () => {
    const [first, second] = [await newOperator({ name: 'Fay First' }), await newOperator()]
    const ana = await newInvestor({ name: 'Ana Torres' })
    const { body: filed } = await fileDeposit(ana, { amount: '700.00' })
    await as(first, 'POST', `/operator/deposits/${filed._id}/approve`, {
      riskReason: 'Called back, all is in order',
      reference: txid(filed._id),
      quantity: '0.01090343',
    })
    const bonus = await propose(first, {
      kind: 'bonus',
      investor: ana.id,
      amount: '5.00',
      reason: '=SUM(A1)',
    })
    await approveProposal(second, bonus.body._id)
    const held = await withdrawal(ana, '20.00')

    const path = `/operator/investors/${ana.id}/entries`
    const { body } = await as<OperatorEntry[]>(first, 'GET', path)
    expect(body).toMatchObject([
      { code: 'hold', cause: 'withdrawal', causeId: held, from: 'available', to: 'held', by: 'Ana Torres' },
      { code: 'bonus', cause: 'proposal', causeId: bonus.body._id, reason: '=SUM(A1)', change: 5, ref: null },
      { code: 'credit', cause: 'deposit', causeId: filed._id, ref: filed.ref, amount: 700, by: 'Fay First' },
    ])
    const codes = async (query: string) =>
      (await as<OperatorEntry[]>(first, 'GET', `${path}?${query}`)).body.map(({ code }) => code)
    expect(await codes('account=held')).toEqual(['hold'])
    expect(await codes('account=granted')).toEqual(['bonus'])
    expect(await codes('account=available')).toEqual(['hold', 'bonus', 'credit'])
    expect((await as(first, 'GET', `${path}?account=fees`)).status).toBe(422)

    const file = await send('GET', `${path}?format=csv`, { token: first.token })
    expect(file.headers.get('Content-Disposition')).toContain(`entries-${ana.id}-`)
    const lines = (await file.text()).trimEnd().split('\r\n')
    expect(lines).toHaveLength(4)
    expect(lines[1]).toContain(',"Deposit credited",')
    expect(lines[2]).toContain(`"'=SUM(A1)"`)
    expect(lines[3]).toContain(',685.00,20.00,705.00,"withdrawal",')
    expect(await actsOn(ana.id, first.id)).toEqual(['investor.viewed', 'investor.entries_exported'])
  })

  test('entries are paged and exported in any number', async () => {
    const operator = await newOperator()
    const ana = await newInvestor({ availableCents: 100_00 })
    await addHistory(env.DB, ana.id, 1200)
    const seen: string[] = []
    let path = `/operator/investors/${ana.id}/entries?limit=100&account=held`
    for (let page = 0; page < 3; page++) {
      const { body, headers } = await as<OperatorEntry[]>(operator, 'GET', path)
      seen.push(...body.map(({ _id }) => _id))
      path = /<\/api\/v1(.+)>/.exec(headers.get('Link') ?? '')?.[1] ?? ''
    }
    expect(new Set(seen).size).toBe(300)
    expect(seen).toEqual(seen.toSorted((a, b) => Number(b) - Number(a)))
    const file = await send('GET', `/operator/investors/${ana.id}/entries?format=csv`, {
      token: operator.token,
    })
    const lines = (await file.text()).trimEnd().split('\r\n')
    expect(lines).toHaveLength(1 + 2 * 1200 + 1)
    expect(lines.some((line) => line.includes(',100.00,0.00,100.00,'))).toBe(true)
  })
})

test('an investor’s requests are those that they see, with filters', async () => {
  const operator = await newOperator()
  const ana = await newInvestor({ availableCents: 100_00 })
  await newInvestor({ availableCents: 100_00 })
  const bank = await withdrawal(ana, '20.00', '/withdrawals/online-service')
  const path = `/operator/investors/${ana.id}/requests`
  const { body } = await as<Transaction[]>(operator, 'GET', path)
  expect(body.map(({ trxType, status }) => [trxType, status])).toEqual([
    ['online-service-withdrawal', 'pending'],
    ['deposit', 'approved'],
  ])
  expect(body[0]).toMatchObject({ _id: bank, accountNumber: expect.stringMatching(/^•+/) })
  const narrowed = await as<Transaction[]>(operator, 'GET', `${path}?kind=deposit&status=approved`)
  expect(narrowed.body).toHaveLength(1)
})

test('an investor’s documents show who decided, and who looked at each and when', async () => {
  const operator = await newOperator({ name: 'Lea Looker' })
  const ana = await newInvestor({ kyc: 'rejected' })
  const { id = '' } =
    (await env.DB.prepare('SELECT id FROM kyc_submissions WHERE user_id = ?')
      .bind(ana.id)
      .first<{ id: string }>()) ?? {}
  await env.DB.prepare('INSERT INTO kyc_looks (submission_id, reviewer, at) VALUES (?, ?, ?)')
    .bind(id, operator.id, Date.UTC(2026, 0, 31))
    .run()
  const { body } = await as<InvestorDocument[]>(operator, 'GET', `/operator/investors/${ana.id}/documents`)
  expect(body).toMatchObject([
    {
      _id: id,
      ref: expect.stringMatching(/^KYC-/),
      status: 'rejected',
      reason: 'The picture is blurred',
      decidedBy: 'Olu Bello',
      looks: [{ at: '2026-01-31T00:00:00.000Z', by: 'Lea Looker' }],
    },
  ])
})

test('an investor’s sessions are shown with ended ones, and give no part of a token', async () => {
  const operator = await newOperator()
  const ana = await newInvestor()
  const other = await anotherSession(ana)
  const path = `/operator/investors/${ana.id}`
  const live = await as<OperatorSession[]>(operator, 'GET', `${path}/sessions`)
  expect(live.body.map(({ isLive, ip, userAgent }) => [isLive, ip, userAgent])).toEqual([
    [true, '203.0.113.1', 'test'],
    [true, '203.0.113.1', 'test'],
  ])
  // Without the key version, which is one digit.
  for (const token of [ana.token, other])
    for (const part of token.split('.').filter((each) => each.length > 1))
      expect(JSON.stringify(live.body)).not.toContain(part)
  await as(operator, 'POST', `${path}/end-sessions`)
  const ended = await as<OperatorSession[]>(operator, 'GET', `${path}/sessions`)
  expect(ended.body.map(({ isLive }) => isLive)).toEqual([false, false])
  expect((await as(ana, 'GET', '/kyc')).status).toBe(401)
})

test('an investor’s activity is the same as they see themselves', async () => {
  const operator = await newOperator()
  const ana = await newInvestor()
  await as(ana, 'PATCH', '/users/user-info', { gender: 'female' })
  const own = await as<ActivityRow[]>(ana, 'GET', '/users/activity')
  const { body } = await as<ActivityRow[]>(operator, 'GET', `/operator/investors/${ana.id}/activity`)
  expect(body).toEqual(own.body)
  expect(body.map(({ event }) => event)).toContain('profile.changed')
  await as(ana, 'PATCH', '/users/preferences', { activityLog: false })
  expect((await as(operator, 'GET', `/operator/investors/${ana.id}/activity`)).body).toEqual([])
})

describe('a note about an investor', () => {
  test('is read by operators, newest first, and never by the investor but in the file of their data', async () => {
    const treasurer = await newOperator({ name: 'Tom Treasurer', roles: ['treasurer'] })
    const auditor = await newOperator({ roles: ['auditor'] })
    const ana = await newInvestor()
    const path = `/operator/investors/${ana.id}/notes`
    const reply = await as<InvestorNote>(treasurer, 'POST', path, { text: '  Rang about a hold.\nKind.  ' })
    expect(reply).toMatchObject({
      status: 201,
      body: { by: 'Tom Treasurer', text: 'Rang about a hold.\nKind.' },
    })
    await as(treasurer, 'POST', path, { text: 'Second' })
    const { body } = await as<InvestorNote[]>(auditor, 'GET', path)
    expect(body.map(({ text }) => text)).toEqual(['Second', 'Rang about a hold.\nKind.'])
    expect(body[1]).toEqual(reply.body)

    const { results } = await env.DB.prepare(
      "SELECT detail FROM audit_log WHERE subject = ? AND action = 'investor.noted' ORDER BY seq",
    )
      .bind(ana.id)
      .all<{ detail: string }>()
    expect(results.map(({ detail }) => JSON.parse(detail))).toEqual(
      [body[1], body[0]].map((note) => ({ note: note?._id })),
    )
    expect(JSON.stringify(results)).not.toContain('Rang')
  })

  test('is refused when it is blank or too long, from an auditor, and of an erased person', async () => {
    const operator = await newOperator()
    const ana = await newInvestor()
    const path = `/operator/investors/${ana.id}/notes`
    for (const text of [undefined, '  ', 'x'.repeat(2001)]) {
      const reply = await as(operator, 'POST', path, { text })
      expect([reply.status, Object.keys(reply.body.fields ?? {})]).toEqual([422, ['text']])
    }
    const auditor = await newOperator({ roles: ['auditor'] })
    expect((await as(auditor, 'POST', path, { text: 'Hello' })).status).toBe(403)
  })

  test('nobody can change a note until the person is erased', async () => {
    const operator = await newOperator()
    const ana = await newInvestor()
    const path = `/operator/investors/${ana.id}/notes`
    const { body } = await as<InvestorNote>(operator, 'POST', path, { text: 'As it was' })
    const run = (query: string) => env.DB.prepare(query).bind(body._id).run()
    await expect(run("UPDATE investor_notes SET text = 'Other' WHERE id = ?")).rejects.toThrow('immutable')
    await expect(run('DELETE FROM investor_notes WHERE id = ?')).rejects.toThrow('person not erased')
    await expect(
      run(`INSERT OR REPLACE INTO investor_notes (id, investor, author, at, text)
           SELECT id, investor, author, at, 'Other' FROM investor_notes WHERE id = ?`),
    ).rejects.toThrow('already stored')
    await expect(
      run(`INSERT INTO investor_notes (id, investor, author, at, text)
           SELECT 'forged', investor, investor, at, 'Other' FROM investor_notes WHERE id = ?`),
    ).rejects.toThrow('author must be an operator')
  })
})

describe('a preview of a notification', () => {
  test('a preview equals the stored notification, also for hostile content, and stores nothing', async () => {
    // More than an operator sends on a day.
    await setSetting('notificationsPerDay', 1000)
    const operator = await newOperator()
    const ana = await newInvestor()
    const shown = async () =>
      (
        await as<{ notification: ReceivedMessages['notification'] }>(
          ana,
          'GET',
          '/users/user-info?fields=notification',
        )
      ).body.notification
    const before = (await env.DB.prepare('SELECT count(*) AS n FROM audit_log').first<number>('n')) ?? 0
    const previews = []
    for (const attack of HOSTILE_MARKUP)
      previews.push(
        await as<{ content: string; bytes: number }>(operator, 'POST', '/operator/notifications/preview', {
          content: `Hello ${attack}`,
        }),
      )
    expect(await shown()).toBeNull()
    expect(await env.DB.prepare('SELECT count(*) AS n FROM audit_log').first<number>('n')).toBe(before)
    for (const [i, attack] of HOSTILE_MARKUP.entries()) {
      const sent = await as(operator, 'POST', `/operator/investors/${ana.id}/notification`, {
        title: 'News',
        content: `Hello ${attack}`,
      })
      // One has an untypable character, and others lead to another site. All are refused.
      const isTaken = !attack.includes('\u0001') && !attack.includes('href="https://example.com')
      expect([attack, previews[i]?.status, sent.status]).toEqual([
        attack,
        ...(isTaken ? [200, 201] : [422, 422]),
      ])
      if (isTaken) expect([attack, previews[i]?.body.content]).toEqual([attack, (await shown())?.content])
    }
  }, 60_000)

  test('is refused as the notification would be', async () => {
    const operator = await newOperator()
    for (const content of ['', '<script>alert(1)</script>', '<'.repeat(5000), 'x'.repeat(16_385)]) {
      const reply = await as(operator, 'POST', '/operator/notifications/preview', { content })
      expect([reply.status, Object.keys(reply.body.fields ?? {})]).toEqual([422, ['content']])
    }
    const auditor = await newOperator({ roles: ['auditor'] })
    const asked = await as(auditor, 'POST', '/operator/notifications/preview', { content: 'x' })
    expect(asked.status).toBe(403)
  })
})

test('sent messages are the current notification, the times of earlier ones, and the subjects of mails', async () => {
  const operator = await newOperator({ name: 'Nell Notifier' })
  const ana = await newInvestor()
  const path = `/operator/investors/${ana.id}`
  await as(operator, 'POST', `${path}/notification`, { title: 'First', content: 'One' })
  await as(operator, 'POST', `${path}/notification`, {
    title: 'Second',
    content: '<b>Two</b>',
    persistent: true,
  })
  await as(operator, 'POST', `${path}/freeze`, { reason: 'A complaint' })
  const { body } = await as<ReceivedMessages>(operator, 'GET', `${path}/notifications`)
  expect(body.notification).toMatchObject({
    title: 'Second',
    content: '<b>Two</b>',
    persistent: true,
    seen: false,
  })
  expect(body.sent.map(({ by, persistent }) => [by, persistent])).toEqual([
    ['Nell Notifier', true],
    ['Nell Notifier', false],
  ])
  expect(body.mails[0]).toMatchObject({ subject: expect.stringMatching(/frozen/) })
  expect(Object.keys(body.mails[0] ?? {}).sort()).toEqual(['_id', 'at', 'deliveredAt', 'subject'])
})
