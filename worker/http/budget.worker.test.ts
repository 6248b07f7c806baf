import { env } from 'cloudflare:workers'
import { beforeAll, describe, expect, test } from 'vitest'
import type { Statement } from '../../src/contract/money/statements.ts'
import { totpCode } from '../../test/support/codes.ts'
import { type Cost, cost } from '../../test/support/cost.ts'
import { CRYPTO_WITHDRAWAL, depositForm } from '../../test/support/filing.ts'
import { txid } from '../../test/support/ledger/txid.ts'
import { addHistory } from '../../test/support/longHistory.ts'
import {
  anotherSession,
  newInvestor,
  newOperator,
  type Operator,
  type Person,
} from '../../test/support/people.ts'
import { MORE_TRIPS, mostTrips } from '../../test/support/trips.ts'
import { newTotpSecret } from '../lib/crypto/totp.ts'
import { routes } from '../routes.ts'

// The database budget of a call: a read takes two round trips, a write three, and rows read do not grow with the history. The
// most frequent reads take one.

const READ_TRIPS = 2
const WRITE_TRIPS = 3
const PAGE = 50
// A row of the history is its request and the details of either queue.
const ROWS_A_ROW = 3
// An entry is found from both of its sides, and is its transfer, two accounts and a request.
const ROWS_AN_ENTRY = 9
// A statement’s entry is a transfer and a request or an order.
const ROWS_A_STATEMENT_ENTRY = 2
// At most 100 entries lie between two.
const ROWS_TO_A_CHECKPOINT = 100
// Its checkpoint, found and read, and the step to it.
const ROWS_A_CHART_DAY = 3
const FEW_ROWS = 24
const HOUR_MS = 3_600_000
const DAY_MS = 24 * HOUR_MS

const people: { short: Person; long: Person }[] = []
const secrets = new Map<string, string>()
let operator: Operator
let second: Operator

beforeAll(async () => {
  operator = await newOperator()
  second = await newOperator()
  const [short, long] = [await wealthy(), await wealthy()]
  await addHistory(env.DB, short.id, 2 * PAGE)
  await addHistory(env.DB, long.id, 5_000)
  people.push({ short, long })
})

describe('reads', () => {
  test.each([
    ['/users/user-info', FEW_ROWS],
    ['/users/user-info?fields=totalBalance', FEW_ROWS],
    ['/transaction-history', ROWS_A_ROW * (PAGE + 1) + FEW_ROWS],
    ['/transaction-history?kind=withdrawal', ROWS_A_ROW * (PAGE + 1) + FEW_ROWS],
    ['/transaction-history?kind=withdrawal&status=cancelled', ROWS_A_ROW * (PAGE + 1) + FEW_ROWS],
    ['/transaction-history?from=2020-09-13&to=2020-09-14', ROWS_A_ROW * (PAGE + 1) + FEW_ROWS],
    ['/transaction-history?limit=1', FEW_ROWS],
    ['/users/entries?figure=pendingWithdrawals', ROWS_AN_ENTRY * (PAGE + 1) + FEW_ROWS],
    ['/users/entries?figure=deposits', FEW_ROWS],
    ['/users/value-history', FEW_ROWS],
    ['/users/referral-terms', FEW_ROWS],
    ['/admin-wallets', FEW_ROWS],
    ['/limits', FEW_ROWS],
  ])('%s costs the same whatever the history', async (path, mostRows) => {
    const [short, long] = await both((person) => cost('GET', path, { token: person.token }))
    expect([short.status, long.status]).toEqual([200, 200])
    // A range read ends at the next row, if there is one, which depends on random ids.
    expect(Math.abs(long.counted.rowsRead - short.counted.rowsRead)).toBeLessThanOrEqual(2)
    expect(long.counted.rowsRead).toBeLessThanOrEqual(mostRows)
    expect(long.counted.trips).toBeLessThanOrEqual(READ_TRIPS)
  })

  test('a late page costs as much as the first', async () => {
    const { long } = pair()
    const first = await cost('GET', '/transaction-history?limit=100', { token: long.token })
    let next = linkOf(first)
    for (let pages = 0; pages < 20; pages++) next = linkOf(await cost('GET', next, { token: long.token }))
    const late = await cost('GET', next, { token: long.token })
    expect(late.counted.rowsRead).toBeLessThanOrEqual(first.counted.rowsRead + FEW_ROWS)
    expect(late.counted.trips).toBeLessThanOrEqual(READ_TRIPS)
  })

  test('the cost of one transaction with its timeline does not depend on the history', async () => {
    const [short, long] = await both(async (person) => {
      const id = await env.DB.prepare('SELECT id FROM requests WHERE investor = ? ORDER BY seq DESC LIMIT 1')
        .bind(person.id)
        .first<string>('id')
      return cost('GET', `/transaction-history/${id}`, { token: person.token })
    })
    expect(long.counted).toEqual(short.counted)
    expect(long.counted.trips).toBeLessThanOrEqual(READ_TRIPS)
  })
})

test.each([
  '/users/user-info',
  '/users/notifications/unseen',
  '/transaction-history',
  '/limits',
  '/strategies',
  '/operator/overview',
])('the frequent read %s takes one round trip', async (path) => {
  const { token } = path.startsWith('/operator') ? operator : pair().long
  const { status, counted } = await cost('GET', path, { token })
  expect([status, counted.trips]).toEqual([200, 1])
})

describe('every route of the contract', () => {
  test('keeps to two round trips for a read and three for a write, or is on the list with a reason', async () => {
    // Some routes change the account, such as the one that locks withdrawals.
    const investor = await wealthy()
    const over: string[] = []
    for (const { endpoint } of routes) {
      const { method, path, scope, accepts } = endpoint
      const { counted, status } = await cost(method, path.replace(/:[a-z]+/gi, 'no-such-thing'), {
        // Each a session of its own, because one of the routes ends it.
        token: await anotherSession(scope.startsWith('operator') ? operator : investor),
        ...(method !== 'GET' && (accepts === 'form' ? { form: { amount: '1' } } : { json: {} })),
      })
      expect([method, path, status < 500]).toEqual([method, path, true])
      if (counted.trips > mostTrips(endpoint)) over.push(`${method} ${path} ${status} ${counted.trips}`)
    }
    expect(over).toEqual([])
  })

  test('no longer list is kept than needed', () => {
    const names = routes.map(({ endpoint: { method, path } }) => `${method} ${path}`)
    for (const [name, [trips]] of Object.entries(MORE_TRIPS)) {
      expect(names).toContain(name)
      expect([name, trips > (name.startsWith('GET') ? READ_TRIPS : WRITE_TRIPS)]).toEqual([name, true])
    }
  })
})

describe('statements', () => {
  /** Withdrawals of two entries each, all within the chart's last 30 days. */
  const histories: { person: Person; fromMs: number; everyMs: number }[] = []
  beforeAll(async () => {
    for (const entries of [1_000, 20_000]) {
      const person = await wealthy()
      const times = {
        fromMs: (Math.floor(Date.now() / DAY_MS) - 21) * DAY_MS + 1,
        everyMs: Math.floor((20 * DAY_MS) / (entries / 2)),
      }
      await addHistory(env.DB, person.id, entries / 2, times)
      histories.push({ person, ...times })
    }
  })

  test.each([
    ['from the beginning of the first day', -1, 0],
    ['from the beginning of a day', 10 * DAY_MS - 1, 0],
    ['from a time between two checkpoints', 10 * DAY_MS + 5 * HOUR_MS, ROWS_TO_A_CHECKPOINT],
    ['from the beginning of one of the last days', 15 * DAY_MS - 1, 0],
  ])('a statement %s costs as much as the 200 entries that it shows', async (_, afterMs, rowsBetween) => {
    for (const { person, fromMs, everyMs } of histories) {
      const start = fromMs + afterMs
      const end = start + 100 * everyMs
      const path = `/statements?from=${new Date(start).toISOString()}&to=${new Date(end).toISOString()}`
      const { status, body, counted } = await cost('GET', path, { token: person.token })
      expect(status).toBe(200)
      const { entries } = body as unknown as Statement
      expect([200, 202]).toContain(entries.length)
      expect(counted.rowsRead).toBeLessThanOrEqual(
        ROWS_A_STATEMENT_ENTRY * entries.length + rowsBetween + FEW_ROWS,
      )
      expect(counted.trips).toBeLessThanOrEqual(READ_TRIPS)
    }
  })

  test('the value chart costs as much as its days', async () => {
    const costs = []
    for (const { person } of histories) {
      const { status, counted } = await cost('GET', '/users/value-history', { token: person.token })
      expect(status).toBe(200)
      costs.push(counted.rowsRead)
      expect(counted.rowsRead).toBeLessThanOrEqual(ROWS_A_CHART_DAY * 30 + FEW_ROWS)
    }
    expect(costs[1]).toBe(costs[0])
  })
})

describe('writes', () => {
  test('a deposit, its credit, a withdrawal, its approval and its payout keep to three round trips each', async () => {
    const [short, long] = await both(async (person) => {
      const deposit = await cost('POST', '/deposits', {
        token: person.token,
        form: await depositForm({ amount: '100' }),
        key: true,
      })
      const credit = await cost('POST', `/operator/deposits/${deposit.body._id}/approve`, {
        token: operator.token,
        json: {
          riskReason: 'Called back, all is in order',
          reference: txid(`${deposit.body._id}`),
          quantity: '0.00155763',
        },
        key: true,
      })
      const withdrawal = await cost('POST', '/withdrawals', {
        token: person.token,
        json: { ...CRYPTO_WITHDRAWAL, code: totpCode(secrets.get(person.id) ?? '') },
        key: true,
      })
      const approval = await cost('POST', `/operator/withdrawals/${withdrawal.body._id}/approve`, {
        token: operator.token,
        json: { riskReason: 'Called back, all is in order' },
        key: true,
      })
      const payout = await cost('POST', `/operator/withdrawals/${withdrawal.body._id}/complete`, {
        token: second.token,
        json: {
          riskReason: 'Called back, all is in order',
          reference: txid(`${withdrawal.body._id}`),
          quantity: '0.001',
        },
        key: true,
      })
      return { deposit, credit, withdrawal, approval, payout }
    })
    for (const step of Object.keys(short) as (keyof typeof short)[]) {
      const [few, many] = [short[step], long[step]]
      expect([step, few.status, many.status]).toEqual([step, expect.any(Number), few.status])
      expect(few.status, `${step}: ${few.body.msg}`).toBeLessThan(300)
      expect(many.counted.trips, step).toBeLessThanOrEqual(WRITE_TRIPS)
      // The signs of risk compare the requests of a week, and the people who sent the same receipt.
      expect(Math.abs(many.counted.rowsRead - few.counted.rowsRead), step).toBeLessThanOrEqual(FEW_ROWS + 40)
      // A credit reads the most: the place of its coins, the referral bonus that it earns and who caused it, the chain of its transaction, when it is due next, its news, and the signs of its risk.
      expect(many.counted.rowsRead, step).toBeLessThanOrEqual(400)
    }
  })
})

function linkOf({ link }: Cost): string {
  const path = /<\/api\/v1([^>]+)>; rel="next"/.exec(link)?.[1]
  if (path === undefined) throw new Error('There is no next page')
  return path
}

async function wealthy(): Promise<Person> {
  const secret = newTotpSecret()
  const person = await newInvestor({ availableCents: 1_000_000, totpSecret: secret })
  secrets.set(person.id, secret)
  return person
}

function pair(): { short: Person; long: Person } {
  const [first] = people
  if (first === undefined) throw new Error('Nobody was set up')
  return first
}

async function both<T>(work: (person: Person) => Promise<T>): Promise<[short: T, long: T]> {
  const { short, long } = pair()
  return [await work(short), await work(long)]
}
