import { env } from 'cloudflare:workers'
import { expect, test } from 'vitest'
import type { DailyCloses } from '../../../src/contract/investing/market.ts'
import { DAY_MS } from '../../../src/time.ts'
import { call } from '../../../test/support/http.ts'
import { newInvestor } from '../../../test/support/people.ts'
import { SIMULATED } from './markets.ts'

const TODAY = Math.floor(Date.now() / DAY_MS) * DAY_MS

test('the closes of a year end with the newest price of today, and unknown ones are null', async () => {
  const insertBar = (asset: string, daysAgo: number, close: number) =>
    env.DB.prepare('INSERT INTO candles VALUES (?, ?, ?, 10, 12, 9, ?, 3)')
      .bind(SIMULATED, asset, TODAY - daysAgo * DAY_MS, close)
      .run()
  const insertCurrent = (asset: string, day: number, last: number) =>
    env.DB.prepare('INSERT INTO current_candles VALUES (?, ?, ?, 10, ?, ?)')
      .bind(SIMULATED, asset, day, last, day + 1)
      .run()
  for (const daysAgo of [366, 365, 364, 363]) await insertBar('sim-alder', daysAgo, 9 + daysAgo / 1000)
  await insertBar('sim-birch', 1, 11)
  await insertCurrent('sim-alder', TODAY, 10.5)
  // Its market has not answered today.
  await insertCurrent('sim-birch', TODAY - DAY_MS, 11.5)

  const { token } = await newInvestor()
  const { body, status } = await call<DailyCloses>('GET', '/market/daily-closes', { token })
  expect(status).toBe(200)
  expect(body.market).toEqual({ id: 'simulated', name: 'Practice market', real: false })
  expect(body.coins.map(({ name }) => name)).toEqual(['Alder', 'Birch', 'Cedar', 'Dogwood'])
  expect(body.days).toHaveLength(365)
  expect(body.days.at(-1)).toBe(new Date(TODAY).toISOString().slice(0, 10))
  const [alder, birch, cedar] = body.coins.map(({ closes }) => closes)
  expect(alder?.slice(0, 3)).toEqual([9.364, 9.363, null])
  expect(alder?.at(-1)).toBe(10.5)
  expect(birch?.slice(-2)).toEqual([11, null])
  expect(cedar?.every((close) => close === null)).toBe(true)
})

test('the closes are for signed-in people', async () => {
  expect(await call('GET', '/market/daily-closes')).toMatchObject({ status: 401 })
})
