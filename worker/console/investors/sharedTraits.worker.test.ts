import { env } from 'cloudflare:workers'
import { expect, test } from 'vitest'
import type { InvestorSummary } from '../../../src/contract/console/investors.ts'
import { cost } from '../../../test/support/cost.ts'
import { withdraw } from '../../../test/support/filing.ts'
import { as, deposit } from '../../../test/support/operating.ts'
import { newInvestor, newOperator, type Person } from '../../../test/support/people.ts'
import { invitedBy } from '../../../test/support/referrals.ts'
import { newWallet } from '../../../test/support/wallets.ts'
import { findSharedTraits } from './sharedTraits.ts'

async function sharedOf(investor: Person): Promise<[trait: string, ...names: string[]][]> {
  const operator = await newOperator()
  const { body } = await as<InvestorSummary>(operator, 'GET', `/operator/investors/${investor.id}/known`)
  return body.shared.map(({ trait, people }) => [trait, ...people.map(({ name }) => name).toSorted()])
}

/** Gives a session another network address, as if the person had signed in elsewhere. */
async function moveTo({ id }: Person, ip: string): Promise<void> {
  await env.DB.prepare('UPDATE sessions SET ip = ? WHERE user_id = ?').bind(ip, id).run()
}

test('people of one referrer who share a browser, network, destination, receipt or document stand out in the cases of each', async () => {
  const ana = await newInvestor({ name: 'Ana Torres' })
  const [ben, cem, dan] = [
    await invitedBy(ana, { name: 'Ben Okri', availableCents: 500_00 }),
    await invitedBy(ana, { name: 'Cem Aydin', availableCents: 500_00 }),
    await invitedBy(ana, { name: 'Dan Moss' }),
  ]
  const places = [ana, ben, cem, dan].map((person, place) => moveTo(person, `198.51.100.${place}`))
  await Promise.all(places)
  expect(await sharedOf(ben)).toEqual([])

  // Ben's IPv6 network is Cem's.
  await moveTo(ben, '2001:db8:1:2::1')
  await moveTo(cem, '2001:db8:1:2::99')
  const { address: paymentTo } = await newWallet()
  await deposit(ben, '100', { paymentTo })
  await deposit(cem, '120', { paymentTo })
  for (const person of [ben, cem])
    expect((await withdraw(person, { amount: '10.00' }, '/withdrawals/online-service')).status).toBe(201)
  for (const [person, name] of [
    [cem, 'José Núñez'],
    [dan, 'jose nunez'],
  ] as const)
    await env.DB.prepare('UPDATE kyc_submissions SET document_name = ? WHERE user_id = ?')
      .bind(name, person.id)
      .run()
  await env.DB.prepare(
    `INSERT INTO devices (user_id, device_hash, first_seen_at, last_seen_at)
     SELECT column1, 'one-browser', 1, 1 FROM (VALUES (?1), (?2), (?3))`,
  )
    .bind(ana.id, cem.id, dan.id)
    .run()

  const found = [
    ['document', 'Cem Aydin', 'Dan Moss'],
    ['receipt', 'Ben Okri', 'Cem Aydin'],
    ['destination', 'Ben Okri', 'Cem Aydin'],
    ['device', 'Ana Torres', 'Cem Aydin', 'Dan Moss'],
    ['network', 'Ben Okri', 'Cem Aydin'],
  ]
  for (const person of [ana, ben, dan]) expect(await sharedOf(person)).toEqual(found)
})

test('strangers who share a network or a destination are not compared', async () => {
  const [ana, eve] = [await newInvestor(), await newInvestor()]
  const [ben, fay] = [await invitedBy(ana), await invitedBy(eve)]
  await moveTo(ana, '198.51.100.21')
  await moveTo(eve, '198.51.100.22')
  for (const person of [ben, fay, await newInvestor()]) await moveTo(person, '198.51.100.20')
  for (const person of [ana, eve, ben, fay, await newInvestor()]) expect(await sharedOf(person)).toEqual([])
})

test('an investor does not see what operators compare', async () => {
  const ben = await invitedBy(await newInvestor())
  expect((await as(ben, 'GET', `/operator/investors/${ben.id}/known`)).status).toBe(403)
})

test('people who share several values of a kind are one line', () => {
  const person = (id: string, ...devices: string[]) => ({
    id,
    name: id,
    document: '[]',
    receipt: '[null]',
    destination: '[""]',
    device: JSON.stringify(devices),
    network: '[]',
  })
  expect(findSharedTraits([person('b', 'x', 'y'), person('a', 'x', 'y'), person('c', 'z')])).toEqual([
    {
      trait: 'device',
      people: [
        { _id: 'a', name: 'a' },
        { _id: 'b', name: 'b' },
      ],
    },
  ])
})

test('the cost does not grow with the number of invited people or with what they did', async () => {
  const operator = await newOperator()
  const costOf = async ({ id }: Person) =>
    (await cost('GET', `/operator/investors/${id}/known`, { token: operator.token })).counted
  const ana = await newInvestor()
  const first = await invitedBy(ana)
  await fill(ana, 25)
  const few = await costOf(first)
  await fill(ana, 400)
  const many = await costOf(first)
  expect(many.trips).toBe(2)
  expect(many.rowsRead - few.rowsRead).toBeLessThanOrEqual(20)
  expect(many.rowsRead).toBeLessThanOrEqual(1_500)
})

/** More people whom somebody invited, with thirty sessions and devices each. */
async function fill({ id }: Person, people: number): Promise<void> {
  const columns = 'email, role, fullname, display_name, phone, country, password_hash, created_at'
  await env.DB.batch([
    env.DB.prepare(
      `WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ?2)
       INSERT INTO users (id, referred_by, referral_code, ${columns})
       SELECT lower(hex(randomblob(16))), ?1, lower(hex(randomblob(8))), lower(hex(randomblob(8))) || '@example.com',
         'investor', fullname, display_name, phone, country, password_hash, created_at
       FROM n JOIN users ON id = ?1`,
    ).bind(id, people),
    env.DB.prepare(
      `WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 30)
       INSERT INTO sessions (id, user_id, secret_hash, created_at, last_seen_at, expires_at, ip)
       SELECT lower(hex(randomblob(16))), u.id, 'x', i, i, i, '192.0.2.' || i FROM n JOIN users u ON u.referred_by = ?1`,
    ).bind(id),
    env.DB.prepare(
      `WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 30)
       INSERT INTO devices (user_id, device_hash, first_seen_at)
       SELECT u.id, lower(hex(randomblob(16))), 1 FROM n JOIN users u ON u.referred_by = ?1`,
    ).bind(id),
  ])
}
