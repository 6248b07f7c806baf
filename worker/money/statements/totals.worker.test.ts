import { env } from 'cloudflare:workers'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { UserInfo } from '../../../src/contract/identity/userInfo.ts'
import type { DayValue, Statement, StatementBalances } from '../../../src/contract/money/statements.ts'
import { randomRuns } from '../../../test/random.ts'
import { call, send } from '../../../test/support/http.ts'
import { at, begin, credited, type Investor, MOVES, step } from '../../../test/support/ledger/lives.ts'
import { fileWithdrawal, liftCeilings, person } from '../../../test/support/ledger/records.ts'
import { anotherSession } from '../../../test/support/people.ts'
import { openDatabase, runBatch } from '../../lib/database.ts'

// Random histories with positions, waiting orders, holds, debts and reversals: the overview, its explanations, the statement (JSON and
// CSV), the value chart and the data download show the same Total Balance, and their parts add up to it, to the cent.

const RUNS = 12
const SEED = 20_261_122
const db = openDatabase(env.DB)

/** In how many histories each of these was not zero at the end. */
const seen = { held: 0, allocating: 0, invested: 0, unrealised: 0, owed: 0, gains: 0, losses: 0 }

test('every screen has the same Total Balance, and its parts add up to it', async () => {
  await runBatch(db, [
    ...person(db, 'olu', 'operator'),
    ...person(db, 'pia', 'operator'),
    ...liftCeilings(db, 'olu', 'pia'),
  ])
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 10, maxLength: 40, size: 'max' }), async (steps) => {
      const life = await begin()
      for (const who of [0, 1]) await credited(life, who, 450_000)
      for (const each of steps) {
        life.nowMs += 60_000
        await MOVES[each.kind](life, each)
      }
      // The next valuation repays a debt, so some histories end with a new one.
      const [last] = steps
      if (last !== undefined && steps.length % 3 === 0) await MOVES.reverse(life, { ...last, who: 1 })
      const ana = at(life.people, 0)
      await hold(ana, Math.floor(ana.available / 3), life.nowMs)
      for (const investor of life.people) await expectOneTotal(investor)
    }),
    { ...randomRuns(RUNS, SEED), endOnFailure: true },
  )
  for (const [what, times] of Object.entries(seen)) expect(times, what).toBeGreaterThan(0)
}, 300_000)

async function hold(investor: Investor, amountCents: number, atMs: number): Promise<void> {
  if (amountCents === 0 || investor.frozen) return
  const filing = { id: `w-${investor.id}`, investor: investor.id, amountCents, atMs }
  await runBatch(db, fileWithdrawal(db, filing, 'usdt'))
}

async function expectOneTotal({ id }: Investor): Promise<void> {
  const token = await anotherSession({ id })
  const get = async <Body>(path: string) => (await call<Body>('GET', path, { token })).body
  const overview = await get<UserInfo>('/users/user-info')
  const cents = (usd: number) => Math.round(usd * 100)
  const total = cents(overview.totalBalance)
  const { available, pendingWithdrawals, allocating, invested, unrealised, owed, undone } = overview

  // The parts of the balance, and its sources.
  const where = { available, held: pendingWithdrawals, allocating, invested, unrealised, owed }
  expect(sumOf({ ...where, undone, owed: -owed })).toBe(total)
  expect(sumOf([overview.profits, overview.deposits, overview.bonus, -overview.withdrawals])).toBe(total)

  // The whole statement and that of a period end in it, and a period opens where the one before closed.
  const whole = await get<Statement>('/statements')
  expectStanding(whole.closing, where, total)
  expect(whole.opening.totalBalance).toBe(0)
  const late = await get<Statement>('/statements?from=2024-10-20')
  expectStanding(late.closing, where, total)
  const early = await get<Statement>('/statements?to=2024-10-19')
  expect(late.opening).toEqual(early.closing)
  for (const query of ['', '&from=2024-10-20']) {
    const file = await (await send('GET', `/statements?format=csv${query}`, { token })).text()
    const ends = file
      .trimEnd()
      .split('\r\n')
      .slice(-6)
      .map((line) => line.split(','))
    const [closing, ...rows] = ends.map((line) => cents(Number(line.at(-1))))
    const names = ends.map(([, name = '']) => name.replaceAll('"', ''))
    expect(names.at(-1)).toBe('Total Balance')
    expect(rows).toEqual([cents(allocating), cents(invested), -cents(owed) + 0, cents(unrealised), total])
    expect((closing ?? 0) + cents(unrealised)).toBe(total)
  }

  // The value chart's last day, and the download.
  const days = await get<DayValue[]>('/users/value-history')
  expect(cents(days.at(-1)?.balance ?? Number.NaN)).toBe(total)
  const data = await get<{ balances: Record<string, number> }>('/users/data')
  expect(data.balances).toEqual({ ...where, undone, totalBalance: overview.totalBalance })

  for (const name of ['held', 'allocating', 'invested', 'unrealised', 'owed'] as const)
    if (where[name] !== 0) seen[name]++
  if (overview.profits > 0) seen.gains++
  if (overview.profits < 0) seen.losses++

  function sumOf(parts: Record<string, number> | number[]): number {
    return Object.values(parts).reduce((sum, usd) => sum + cents(usd), 0)
  }

  function expectStanding(closing: StatementBalances, expected: typeof where, totalCents: number): void {
    const { balance, totalBalance, ...parts } = closing
    expect(parts).toEqual(expected)
    expect(cents(totalBalance)).toBe(totalCents)
    expect(cents(balance) + cents(closing.unrealised)).toBe(totalCents)
  }
}
