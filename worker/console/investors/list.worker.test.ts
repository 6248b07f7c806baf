import { env } from 'cloudflare:workers'
import { expect, test } from 'vitest'
import type { ListedInvestor } from '../../../src/contract/console/investors.ts'
import { cost } from '../../../test/support/cost.ts'
import { call, send } from '../../../test/support/http.ts'
import { as, withdrawal } from '../../../test/support/operating.ts'
import { newInvestor, newOperator, type Operator } from '../../../test/support/people.ts'
import { filedRecovery } from '../../../test/support/recovery.ts'
import { newTotpSecret } from '../../lib/crypto/totp.ts'

async function list(operator: Operator, query: string) {
  const { status, body, headers } = await as<ListedInvestor[]>(
    operator,
    'GET',
    `/operator/investors?${query}`,
  )
  expect(status).toBe(200)
  return { rows: body, next: /<\/api\/v1(.+)>/.exec(headers.get('Link') ?? '')?.[1] ?? '' }
}

async function listIds(operator: Operator, query: string): Promise<string[]> {
  return (await list(operator, query)).rows.map(({ _id }) => _id)
}

function setUser(id: string, assignments: string, ...values: unknown[]) {
  return env.DB.prepare(`UPDATE users SET ${assignments} WHERE id = ?`)
    .bind(...values, id)
    .run()
}

test('investors are sorted by balance and by their last sign-in, page by page', async () => {
  const operator = await newOperator()
  const rich = await newInvestor({ availableCents: 900_00 })
  const poor = await newInvestor({ availableCents: 10_00 })
  const middle = await newInvestor({ availableCents: 300_00 })
  await withdrawal(middle, '100')
  await env.DB.prepare('UPDATE sessions SET created_at = created_at + 60000 WHERE user_id = ?')
    .bind(poor.id)
    .run()
  await env.DB.prepare('DELETE FROM sessions WHERE user_id = ?').bind(rich.id).run()
  expect(await listIds(operator, 'order=balance')).toEqual([rich.id, middle.id, poor.id])
  expect(await listIds(operator, 'order=active')).toEqual([poor.id, middle.id, rich.id])
  expect(await listIds(operator, 'order=oldest')).toEqual([rich.id, poor.id, middle.id])
  const { rows, next } = await list(operator, 'order=balance&limit=1')
  // Held money is still the investor's.
  expect(rows).toMatchObject([{ totalBalance: 900, lastSignInAt: null, risk: { level: 'low' } }])
  expect((await as<ListedInvestor[]>(operator, 'GET', next)).body[0]).toMatchObject({
    _id: middle.id,
    totalBalance: 300,
  })
})

test('a list by balance or risk reads a few rows of each of the newest accounts', async () => {
  const operator = await newOperator()
  await env.DB.prepare(
    `WITH RECURSIVE n (i) AS (VALUES (1) UNION ALL SELECT i + 1 FROM n WHERE i < 2000)
     INSERT INTO users (id, role, email, fullname, display_name, phone, country, password_hash, created_at, referral_code)
     SELECT 'many-' || i, 'investor', 'many.' || i || '@example.org', 'max', 'Max', '+41', 'Switzerland', '', 1, 'many' || i FROM n`,
  ).run()
  const byBalance = await cost('GET', '/operator/investors?order=balance', operator)
  expect(byBalance.counted.rowsRead).toBeLessThanOrEqual(2000 * 12 + 2000)
  // The newest 200 are judged.
  const byRisk = await cost('GET', '/operator/investors?order=risk', operator)
  expect(byRisk.counted.rowsRead).toBeLessThanOrEqual(200 * 60)
})

test('investors are narrowed to locked accounts, open reports, a country, days and a level of risk', async () => {
  const operator = await newOperator()
  const frozen = await newInvestor({ frozen: true })
  const locked = await newInvestor()
  const reported = await newInvestor({ totpSecret: newTotpSecret() })
  const other = await newInvestor()
  await setUser(locked.id, 'locked_at = 5, frozen_at = 5')
  await setUser(other.id, "country = 'France', created_at = ?", Date.parse('2021-05-05T12:00:00.000Z'))
  await filedRecovery(reported)
  expect(await listIds(operator, 'account=frozen')).toEqual([frozen.id])
  expect(await listIds(operator, 'account=locked')).toEqual([locked.id])
  expect(await listIds(operator, 'account=unlocking')).toEqual([])
  await call('POST', '/contact-us', { json: { name: 'Ana', email: locked.email, message: 'Unlock me' } })
  expect(await listIds(operator, 'account=unlocking')).toEqual([locked.id])
  expect(await listIds(operator, 'account=reported')).toEqual([reported.id])
  expect(await listIds(operator, 'country=FR')).toEqual([other.id])
  expect((await listIds(operator, 'risk=high')).toSorted()).toEqual(
    [frozen.id, locked.id, reported.id].toSorted(),
  )
  expect((await listIds(operator, 'order=risk')).slice(0, 2)).toEqual([locked.id, frozen.id])
  const { rows } = await list(operator, 'account=reported')
  expect(rows[0]).toMatchObject({ isReported: true, risk: { level: 'high' } })
  for (const bad of ['order=odd', 'risk=odd', 'country=France', 'from=odd', 'from=2026-02-02&to=2026-02-01'])
    expect([bad, (await as(operator, 'GET', `/operator/investors?${bad}`)).status]).toEqual([bad, 422])
})

test.each(['active', 'frozen', 'locked', 'unlocking', 'reported', 'closed'])(
  'accounts that are %s can be narrowed further in every way',
  async (account) => {
    const operator = await newOperator()
    const person = await newInvestor()
    await setUser(person.id, "country = 'France'")
    for (const more of [
      '',
      '&kyc=approved',
      '&kyc=none&country=FR',
      '&country=FR',
      '&country=FR&from=2021-01-01',
      '&country=FR&format=csv',
    ])
      for (const order of ['newest', 'balance', 'risk'])
        expect(
          (
            await send('GET', `/operator/investors?account=${account}&order=${order}${more}`, {
              token: operator.token,
            })
          ).status,
          `${order}${more}`,
        ).toBe(200)
  },
)

test('the list, or selected rows of it, is exported as a file, which is recorded', async () => {
  const operator = await newOperator()
  const ana = await newInvestor({ name: 'Ana Torres', availableCents: 12_50 })
  const ben = await newInvestor({ name: 'Ben Okafor', frozen: true })
  const download = async (query: string) =>
    (await send('GET', `/operator/investors?format=csv${query}`, { token: operator.token })).text()
  const all = await download('&order=balance')
  expect(all.split('\r\n')[0]).toContain('"Total balance (USD)","Last sign-in (UTC)"')
  expect(all.indexOf(ana.id)).toBeLessThan(all.indexOf(ben.id))
  expect(all).toContain('"Ana Torres"')
  expect(all).toMatch(/"Frozen","Ben Okafor".+"The account is frozen/)
  const some = await download(`&ids=${ben.id}`)
  expect([some.includes(ben.id), some.includes(ana.id)]).toEqual([true, false])
  const { results } = await env.DB.prepare(
    "SELECT detail FROM audit_log WHERE action = 'investors.exported' AND actor = ? ORDER BY seq",
  )
    .bind(operator.id)
    .all<{ detail: string }>()
  expect(results.map(({ detail }) => JSON.parse(detail).selected)).toEqual([undefined, 1])
})

test('support sees neither balance nor risk, and gets no file', async () => {
  const support = await newOperator({ roles: ['support'] })
  const reported = await newInvestor({
    name: 'Sue Supported',
    availableCents: 900_00,
    totpSecret: newTotpSecret(),
  })
  await filedRecovery(reported)
  const { rows } = await list(support, 'order=active&query=Sue Supported')
  expect(rows[0]).toMatchObject({ _id: reported.id })
  for (const field of ['totalBalance', 'risk', 'isReported']) expect(rows[0]).not.toHaveProperty(field)
  for (const query of ['order=balance', 'order=risk', 'risk=high', 'account=reported', 'format=csv'])
    expect([query, (await as(support, 'GET', `/operator/investors?${query}`)).status]).toEqual([query, 403])
})
