import { env } from 'cloudflare:workers'
import { beforeEach, expect, test } from 'vitest'
import { cost } from '../../../test/support/cost.ts'
import { call } from '../../../test/support/http.ts'
import { deposit } from '../../../test/support/operating.ts'
import { newInvestor, newOperator, type Operator, type Person } from '../../../test/support/people.ts'

let operator: Operator
beforeEach(async () => {
  operator = await newOperator()
})

type Rows = { readonly _id: string; readonly amount?: number }[]

const list = (path: string) => call<Rows>('GET', `/operator/${path}`, { token: operator.token })

/** An investor of a country whose first deposits have these amounts in USD. */
async function depositor(country: string, ...amounts: readonly number[]): Promise<Person> {
  const investor = await newInvestor()
  await env.DB.prepare('UPDATE users SET country = ? WHERE id = ?').bind(country, investor.id).run()
  for (const amount of amounts) await deposit(investor, String(amount))
  return investor
}

test('deposits are found by amount, coin, country, day and person', async () => {
  const [ana, ben] = [await depositor('Malta', 30, 40, 50), await depositor('DE', 40)]
  const amounts = async (query: string) =>
    (await list(`deposits?order=oldest&${query}`)).body.map(({ amount }) => amount)
  const today = new Date().toISOString().slice(0, 10)
  expect(await amounts(`person=${ana.id}`)).toEqual([30, 40, 50])
  expect(await amounts(`person=${ana.id}&amountFrom=40&amountTo=45.5`)).toEqual([40])
  expect(await amounts(`person=${ana.id}&amountFrom=31&limit=1`)).toEqual([40])
  expect(await amounts(`person=${ana.id}&country=MT&from=${today}&to=${today}`)).toEqual([30, 40, 50])
  expect(await amounts(`person=${ana.id}&to=2020-01-01`)).toEqual([])
  expect(await amounts(`person=${ben.id}&country=DE&status=pending&assigned=nobody`)).toEqual([40])
  expect(await amounts(`person=${ben.id}&country=MT`)).toEqual([])
  expect(await amounts(`query=${ana.email}&amountTo=30`)).toEqual([30])
  const coins = await Promise.all(
    ['bitcoin', 'ethereum', 'usdt', 'usdc'].map((coin) => amounts(`person=${ana.id}&coin=${coin}`)),
  )
  expect(coins.flat()).toEqual([30, 40, 50])
})

test.each(['kyc', 'messages', 'proposals', 'factor-recoveries', 'withdrawals'])(
  '%s are found by day and person',
  async (queue) => {
    const { id } = await newInvestor({ kyc: 'pending' })
    const isKyc = queue === 'kyc'
    expect((await list(`${queue}?person=${id}&from=2020-01-01`)).body).toHaveLength(isKyc ? 1 : 0)
    expect((await list(`${queue}?person=${id}&country=CH`)).body).toHaveLength(isKyc ? 1 : 0)
    expect((await list(`${queue}?person=${id}&to=2020-01-01`)).body).toEqual([])
    expect((await list(`${queue}?from=2990-01-01`)).body).toEqual([])
  },
)

test.each([
  ['amountFrom=many', 'amountFrom', 'amountFrom is an amount in USD, like 250 or 99.95'],
  ['amountTo=-1', 'amountTo', 'amountTo is an amount in USD, like 250 or 99.95'],
  ['amountFrom=5&amountTo=4', 'amountTo', 'The highest amount is below the lowest'],
  ['from=2026-02-31', 'from', 'from is a day like 2026-01-31'],
  ['from=2026-02-02&to=2026-02-01', 'to', 'The last day comes before the first'],
  ['coin=doge', 'coin', 'coin is one of bitcoin, ethereum, usdt, usdc'],
  ['country=Malta', 'country', 'country is a code of two letters, like CH'],
  ['person=%27--', 'person', 'person is the id of an investor'],
])('a filter %s is refused', async (query, field, problem) => {
  const { status, body } = await list(`deposits?${query}`)
  expect([status, (body as unknown as { fields: object }).fields]).toEqual([422, { [field]: problem }])
})

test('one person’s few deposits cost the same among many of others', async () => {
  const ana = await depositor('Malta', 30)
  const count = () => cost('GET', `/operator/deposits?person=${ana.id}&amountFrom=100`, operator)
  const before = await count()
  await depositor('Malta', ...Array.from({ length: 15 }, () => 20))
  // Each of the three reads may look at one row behind the person's.
  expect((await count()).counted.rowsRead).toBeLessThanOrEqual(before.counted.rowsRead + 3)
})
