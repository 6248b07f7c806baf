import { env } from 'cloudflare:workers'
import { expect, test } from 'vitest'
import type { OwnProof, PublishedRoot } from '../../../src/contract/money/liabilities.ts'
import { type LiabilityNode, verifyLiability } from '../../../src/contract/money/liabilityTree.ts'
import { DAY_MS } from '../../../src/time.ts'
import { call } from '../../../test/support/http.ts'
import { as } from '../../../test/support/operating.ts'
import { newInvestor, type Person } from '../../../test/support/people.ts'
import { moveToVenue } from '../../../test/support/venueTransfers.ts'
import { deleteAtClosing } from '../../identity/personalData/list.ts'
import { openDatabase, runBatch } from '../../lib/database.ts'
import { publishLiabilities } from './publish.ts'

// The tests of this file build on each other: the totals cover all its investors.
const db = openDatabase(env.DB)
const START_MS = Date.UTC(2030, 0, 1, 0, 1)
const publish = (day: number) => publishLiabilities(db, START_MS + day * DAY_MS)
const roots = async (query = '') => (await call<PublishedRoot[]>('GET', `/liabilities${query}`)).body
const people: Person[] = []

async function isProved(person: Person): Promise<boolean> {
  const { status, body } = await as<OwnProof>(person, 'GET', '/users/liability-proof')
  if (status !== 200) return false
  const { leaf, index, path } = body
  const nodes = path.map(({ hash, sumCents }): LiabilityNode => ({ hash, sum: sumCents }))
  const [published] = await roots('?limit=1')
  if (published === undefined) return false
  return verifyLiability(
    { leaf: { salt: leaf.salt, investor: leaf.investor, balance: leaf.balanceCents }, index, path: nodes },
    { root: published.root, investors: published.investors, total: published.totalCents },
  )
}

const rows = (table: string) => env.DB.prepare(`SELECT count(*) AS n FROM ${table}`).first<number>('n')

test('below the smallest number of investors nothing is stored or published', async () => {
  for (let n = 0; n < 19; n++) people.push(await newInvestor({ availableCents: 100_00 + n }))
  // Has no balance.
  await newInvestor()
  await publish(0)
  expect(await roots()).toEqual([])
  for (const table of ['liability_days', 'liability_leaves', 'liability_nodes'])
    expect(await rows(table)).toBe(0)
  expect((await as(people[0] as Person, 'GET', '/users/liability-proof')).status).toBe(404)
})

test('each day a root with the ledger’s liabilities is published, and everybody’s proof leads to it', async () => {
  const frozen = await newInvestor({ availableCents: 7_00, frozen: true })
  people.push(frozen)
  await publish(0)
  const owed = await env.DB.prepare(
    "SELECT sum(balance) AS cents FROM accounts WHERE kind IN ('available', 'held')",
  ).first<number>('cents')
  const [published, ...others] = await roots()
  expect(others).toEqual([])
  expect(published).toEqual({
    day: '2030-01-01',
    at: '2030-01-01T00:01:00.000Z',
    root: expect.stringMatching(/^[0-9a-f]{64}$/),
    investors: 20,
    totalCents: owed,
    reserves: [],
    atVenues: [],
  })
  for (const person of people) expect(await isProved(person)).toBe(true)
  // They had no balance; and a visitor has no account.
  expect(await isProved(await newInvestor())).toBe(false)
  expect((await call('GET', '/users/liability-proof')).status).toBe(401)
  // Once a day, whatever happens that day.
  await publishLiabilities(db, START_MS + DAY_MS - 120_000)
  expect(await roots()).toEqual([published])
})

test('a run that was killed anywhere is taken up with the balances it had read', async () => {
  const before = await rows('liability_days')
  let killAt = 0
  let calls = 0
  const dying = openDatabase(
    new Proxy(env.DB, {
      get(target, name) {
        const value = Reflect.get(target, name, target)
        if (name !== 'batch') return typeof value === 'function' ? value.bind(target) : value
        return (statements: D1PreparedStatement[]) => {
          if (++calls > killAt) throw new Error('killed')
          return target.batch(statements)
        }
      },
    }),
  )
  const published = async () => (await roots()).length > (before ?? 0)
  for (; !(await published()) && killAt < 40; killAt++) {
    calls = 0
    await publishLiabilities(dying, START_MS + DAY_MS).catch((error: Error) => {
      if (error.message !== 'killed') throw error
    })
  }
  expect(killAt).toBeGreaterThan(5)
  expect(await published()).toBe(true)
  await publish(1)
  for (const person of people.slice(0, 3)) expect(await isProved(person)).toBe(true)
  // For older days, only the roots are left.
  expect(await rows('liability_leaves')).toBe(20)
  const { results } = await env.DB.prepare(
    'SELECT secret IS NULL AS gone FROM liability_days ORDER BY day',
  ).all()
  expect(results).toEqual([{ gone: 1 }, { gone: 0 }])
})

test('a debt lowers nobody’s total, and money held or waiting to be invested counts', async () => {
  const [person] = people
  if (person === undefined) throw new Error('There are twenty.')
  const ledger = async () =>
    (await env.DB.prepare(
      "SELECT sum(CASE WHEN kind IN ('available', 'held', 'allocating') THEN balance ELSE 0 END) AS owed FROM accounts",
    ).first<number>('owed')) ?? 0
  const { results } = await env.DB.prepare(
    "SELECT name, sql FROM sqlite_master WHERE type = 'trigger' AND tbl_name = 'accounts'",
  ).all<{
    name: string
    sql: string
  }>()
  for (const { name } of results) await env.DB.prepare(`DROP TRIGGER ${name}`).run()
  await env.DB.batch([
    env.DB.prepare("UPDATE accounts SET balance = -900 WHERE kind = 'owed' AND owner = ?").bind(person.id),
    env.DB.prepare("UPDATE accounts SET balance = balance - 500 WHERE kind = 'available' AND owner = ?").bind(
      person.id,
    ),
    env.DB.prepare("UPDATE accounts SET balance = balance + 400 WHERE kind = 'held' AND owner = ?").bind(
      person.id,
    ),
    env.DB.prepare(
      "INSERT INTO accounts (id, owner, kind, subject, balance) VALUES (?1 || ':allocating:x', ?1, 'allocating', 'x', 100)",
    ).bind(person.id),
  ])
  for (const { sql } of results) await env.DB.prepare(sql).run()
  await publish(2)
  const [published] = await roots()
  expect(published).toMatchObject({ day: '2030-01-03', totalCents: await ledger() })
  const { body } = await as<OwnProof>(person, 'GET', '/users/liability-proof')
  expect(body.leaf.balanceCents).toBe(100_00)
  expect(await isProved(person)).toBe(true)
})

test('closing an account deletes its leaf, and a tree in progress starts again', async () => {
  const [person, other] = people
  if (person === undefined || other === undefined) throw new Error('There are twenty.')
  await runBatch(db, deleteAtClosing(person.id))
  expect(await isProved(person)).toBe(false)
  expect(await isProved(other)).toBe(true)
  await env.DB.prepare(
    `INSERT INTO liability_days (day, at, investors, total, secret) VALUES ('2030-01-04', 1, 20, 5, 'x')`,
  ).run()
  await env.DB.prepare(`INSERT INTO liability_leaves (day, investor, balance) VALUES ('2030-01-04', ?, 5)`)
    .bind(other.id)
    .run()
  await publish(3)
  expect((await roots())[0]?.day).toBe('2030-01-03')
  await publish(3)
  expect((await roots())[0]).toMatchObject({ day: '2030-01-04', investors: 20 })
})

test('a tree is built over several runs, and starts again if a leaf is gone or changed meanwhile', async () => {
  const before = (await roots()).length
  const publishPage = () => publishLiabilities(db, START_MS + 4 * DAY_MS, 1)
  const changes = [
    `DELETE FROM liability_leaves WHERE day = '2030-01-05' AND investor = '${people[4]?.id}'`,
    `UPDATE liability_leaves SET balance = balance + 1 WHERE day = '2030-01-05' AND investor = '${people[5]?.id}'`,
  ]
  for (const change of changes) {
    await publishPage()
    await env.DB.prepare(change).run()
    // Those of the day before stay.
    for (let run = 0; (await rows('liability_leaves')) !== 20; run++) {
      expect(run).toBeLessThan(12)
      await publishPage()
    }
    expect(await roots()).toHaveLength(before)
  }
  let runs = 0
  for (; (await roots()).length === before && runs < 20; runs++) await publishPage()
  // One for the hashes, one for the places, one for each of the five levels above, and one for the root.
  expect(runs).toBe(8)
  expect((await roots())[0]).toMatchObject({ day: '2030-01-05', investors: 20 })
  for (const person of people.slice(1)) expect(await isProved(person)).toBe(true)
})

test('what two operators moved to an exchange is a place of its own, from the day on which it was moved', async () => {
  const [before] = await roots('?limit=1')
  if (before === undefined) return expect.fail('There is a published day.')
  const at = Date.parse(before.at) + DAY_MS / 2
  for (const [asset, quantity] of [
    ['usd', 1500_00000000],
    ['usd', -200_50000000],
    ['bitcoin', 25_000_000],
    ['ethereum', 100],
    ['ethereum', -100],
  ] as const)
    await moveToVenue(db, { venue: 'kraken', asset, quantity, at })
  await publish(5)
  const [newest, old] = await roots('?limit=2')
  expect(newest?.atVenues).toEqual([
    { venue: 'kraken', asset: 'bitcoin', quantity: '0.25', isSimulated: true },
    { venue: 'kraken', asset: 'usd', quantity: '1299.5', isSimulated: true },
  ])
  expect(old).toEqual(before)
})

test('published roots stay, and proofs last a week if no newer day comes', async () => {
  for (const statement of [
    'UPDATE liability_days SET total = 1',
    "UPDATE liability_days SET root = 'x'",
    'DELETE FROM liability_days',
    "INSERT OR REPLACE INTO liability_days (day, at, investors, total) VALUES ('2030-01-01', 1, 1, 1)",
  ])
    await expect(env.DB.prepare(statement).run(), statement).rejects.toThrow(/liability_days: /)
  await env.DB.prepare(
    "INSERT INTO liability_days (day, at, investors, total, root, published_at) VALUES ('2031-01-01', 1, 1, 1, 'x', 1)",
  ).run()
  await publish(11)
  for (const table of ['liability_leaves', 'liability_nodes']) expect(await rows(table)).toBe(0)
  expect(await isProved(people[2] as Person)).toBe(false)
  const days = (await roots()).map(({ day }) => day)
  expect(days).toHaveLength(7)
  const first = await call<PublishedRoot[]>('GET', '/liabilities?limit=2')
  const [, next = ''] = /<\/api\/v1(.+)>/.exec(first.headers.get('Link') ?? '') ?? []
  const second = await call<PublishedRoot[]>('GET', next)
  expect([...first.body, ...second.body].map(({ day }) => day)).toEqual(days.slice(0, 4))
  expect((await roots(`?day=${days[2]}`)).map(({ day }) => day)).toEqual([days[2]])
  expect(await roots('?day=2029-12-31')).toEqual([])
  expect((await call('GET', '/liabilities?day=today')).status).toBe(422)
})
