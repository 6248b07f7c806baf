import { env } from 'cloudflare:workers'
import { expect, test } from 'vitest'
import type { DecisionTimes } from '../../../src/contract/money/decisionTimes.ts'
import type { Limits } from '../../../src/contract/money/limits.ts'
import { DAY_MS } from '../../../src/time.ts'
import { countQueries } from '../../../test/support/counting.ts'
import { call } from '../../../test/support/http.ts'
import { withoutTriggers } from '../../../test/support/longHistory.ts'
import { newInvestor } from '../../../test/support/people.ts'
import { openDatabase } from '../../lib/database.ts'
import { measureDecisionTimes } from './measure.ts'
import { roundUpMinutes } from './read.ts'

// The tests of this file build on each other: decisions stay.
const db = openDatabase(env.DB)
const [MINUTE, HOUR, DAY] = [60_000, 3_600_000, DAY_MS]
const TODAY = Date.UTC(2030, 5, 1)
const NONE = { until: null, deposits: null, withdrawals: null, payouts: null, identity: null, messages: null }

const decisionTimes = async () => (await call<DecisionTimes>('GET', '/decision-times')).body
const measured = (kind: string) =>
  env.DB.prepare('SELECT decisions, median_ms AS median, p95_ms AS p95 FROM decision_times WHERE kind = ?')
    .bind(kind)
    .first<{ decisions: number; median: number | null; p95: number | null }>()

interface Decided {
  queue?: 'deposits' | 'withdrawals'
  /** Each state and when it was reached, in milliseconds since filing. */
  events: readonly (readonly [string, number])[]
  /** When it was filed; default: three days ago. */
  at?: number
}

let filed = 0
/** Inserts requests with their events without triggers: the API cannot make decisions on other days. */
async function decide(decisions: readonly Decided[]): Promise<void> {
  const investor = (await newInvestor()).id
  await withoutTriggers(env.DB, async () => {
    const rows = decisions.flatMap(({ queue = 'withdrawals', events, at = TODAY - 3 * DAY }) => {
      const id = `d${filed++}`
      const status = events.at(-1)?.[0] ?? 'pending'
      return [
        env.DB.prepare(
          `INSERT INTO requests (id, ref, investor, kind, queue, status, amount, asked, created_at)
           VALUES (?1, ?1, ?2, ?3, ?4, ?5, 100, 100, ?6)`,
        ).bind(id, investor, queue === 'deposits' ? 'deposit' : 'withdrawal', queue, status, at),
        ...events.map(([status, took]) =>
          env.DB.prepare(
            'INSERT INTO request_events (request, status, at, actor, investor) VALUES (?1, ?2, ?3, ?4, ?4)',
          ).bind(id, status, at + took, investor),
        ),
      ]
    })
    for (let at = 0; at < rows.length; at += 500) await env.DB.batch(rows.slice(at, at + 500))
  })
}

const after = (took: number, status = 'approved'): Decided => ({ events: [[status, took]] })

/** An independent implementation: of n values in order, number ⌈share × n⌉. */
const nearestRank = (times: readonly number[], share: number) =>
  times.toSorted((a, b) => a - b)[Math.ceil(share * times.length) - 1]

test('without measurements or decisions there is no figure', async () => {
  expect(await decisionTimes()).toEqual(NONE)
  await measureDecisionTimes(db, TODAY)
  expect(await decisionTimes()).toEqual({ ...NONE, until: '2030-06-01T00:00:00.000Z' })
})

test('nineteen decisions are too few to say, the twentieth gives median and 95th percentile by nearest rank', async () => {
  await decide(Array.from({ length: 19 }, (_, n) => after((n + 1) * HOUR)))
  await measureDecisionTimes(db, TODAY + DAY)
  expect(await measured('withdrawals')).toEqual({ decisions: 19, median: null, p95: null })
  expect((await decisionTimes()).withdrawals).toBeNull()
  await decide([after(20 * HOUR, 'rejected')])
  await measureDecisionTimes(db, TODAY + 2 * DAY)
  expect(await measured('withdrawals')).toEqual({ decisions: 20, median: 10 * HOUR, p95: 19 * HOUR })
  expect((await decisionTimes()).withdrawals).toEqual({
    decisions: 20,
    days: 90,
    medianMinutes: 600,
    p95Minutes: 19 * 60,
  })
})

test('a payout counts from filing; a rejection after an approval and a cancellation do not count', async () => {
  const before = await measured('withdrawals')
  await decide([
    {
      events: [
        ['approved', HOUR],
        ['completed', 3 * HOUR],
      ],
    },
    {
      events: [
        ['approved', HOUR],
        ['rejected', 5 * HOUR],
      ],
    },
    {
      events: [
        ['pending', 0],
        ['cancelled', HOUR],
      ],
    },
    {
      queue: 'deposits',
      events: [
        ['approved', HOUR],
        ['reversed', 2 * HOUR],
      ],
    },
  ])
  await measureDecisionTimes(db, TODAY + 3 * DAY)
  expect((await measured('withdrawals'))?.decisions).toBe((before?.decisions ?? 0) + 2)
  expect((await measured('payouts'))?.decisions).toBe(1)
  expect((await measured('deposits'))?.decisions).toBe(1)
})

test('only the 90 days up to midnight count', async () => {
  await env.DB.batch([env.DB.prepare('DELETE FROM decision_times')])
  const until = TODAY + 200 * DAY
  await decide([
    { queue: 'deposits', events: [['approved', HOUR]], at: until - 90 * DAY - 2 * HOUR },
    { queue: 'deposits', events: [['approved', HOUR]], at: until - 90 * DAY - HOUR },
    { queue: 'deposits', events: [['approved', HOUR]], at: until - 2 * HOUR },
    { queue: 'deposits', events: [['approved', HOUR]], at: until - HOUR },
  ])
  await measureDecisionTimes(db, until + 13 * HOUR)
  expect((await measured('deposits'))?.decisions).toBe(2)
  expect((await decisionTimes()).until).toBe('2030-12-18T00:00:00.000Z')
})

test('figures follow the definition for any times, also for identity and messages', async () => {
  const until = TODAY + 400 * DAY
  const some = () =>
    Array.from({ length: 20 + Math.floor(Math.random() * 80) }, () => Math.floor(Math.random() * 5 * DAY))
  const [deposits, messages] = [some(), some()]
  await decide(
    deposits.map((took) => ({
      queue: 'deposits' as const,
      events: [['approved', took]],
      at: until - 10 * DAY,
    })),
  )
  await env.DB.batch(
    messages.map((took, n) =>
      env.DB.prepare(
        `INSERT INTO contact_messages (id, ref, name, email, message, status, created_at, opened_at, handled_at)
         VALUES (?1, ?1, 'Ana', 'ana@example.com', 'Hello', 'answered', ?2, ?2, ?3)`,
      ).bind(`m${n}`, until - 10 * DAY, until - 10 * DAY + took),
    ),
  )
  await measureDecisionTimes(db, until)
  for (const [kind, times] of Object.entries({ deposits, messages })) {
    const [median = 0, p95 = 0] = [nearestRank(times, 0.5), nearestRank(times, 0.95)]
    expect(await measured(kind)).toEqual({ decisions: times.length, median, p95 })
    expect((await decisionTimes())[kind as 'deposits']).toEqual({
      decisions: Math.floor(times.length / 10) * 10,
      days: 90,
      medianMinutes: roundUpMinutes(median),
      p95Minutes: roundUpMinutes(p95),
    })
  }
  expect((await decisionTimes()).identity).toBeNull()
})

test('it is measured once a day, and reading takes five rows', async () => {
  const until = TODAY + 400 * DAY
  const again = countQueries(env.DB)
  await measureDecisionTimes(openDatabase(again.binding), until + 23 * HOUR + 59 * MINUTE)
  expect(again.counted).toMatchObject({ statements: 1, rowsRead: 1, rowsWritten: 0 })
  const ana = await newInvestor()
  const { body } = await call<Limits>('GET', '/limits', { token: ana.token })
  expect(body.decisionTimes).toEqual(await decisionTimes())
  const { headers } = await call('GET', '/decision-times')
  expect(headers.get('Cache-Control')).toBe('private, max-age=3600')
  const { results } = await env.DB.prepare('SELECT kind FROM decision_times').all()
  expect(results).toHaveLength(5)
})

test('measuring reads only decisions of the 90 days', async () => {
  await decide(Array.from({ length: 2_000 }, (_, n) => after(n * MINUTE)))
  const cost = async (nowMs: number) => {
    const { binding, counted } = countQueries(env.DB)
    await measureDecisionTimes(openDatabase(binding), nowMs)
    return counted.rowsRead
  }
  const many = await cost(TODAY + 4 * DAY)
  expect(many).toBeGreaterThan(2_000)
  expect(many).toBeLessThan(20 * 2_100)
  expect(await cost(TODAY + 1000 * DAY)).toBeLessThan(100)
})
