import { env } from 'cloudflare:workers'
import { sql } from 'drizzle-orm'
import { expect, test } from 'vitest'
import { cost } from '../../../test/support/cost.ts'
import { fileDeposit, withdraw } from '../../../test/support/filing.ts'
import { withdrawal } from '../../../test/support/operating.ts'
import { newInvestor, newOperator, type Person } from '../../../test/support/people.ts'
import { newPicture } from '../../../test/support/picture.ts'
import { invitedBy } from '../../../test/support/referrals.ts'
import { newWallet } from '../../../test/support/wallets.ts'
import type { ActorCall } from '../../http/call.ts'
import { openDatabase, readTogether } from '../../lib/database.ts'
import { readRiskFacts } from './facts.ts'
import { deriveRisk } from './rules.ts'

async function listSharedTraits(investor: Person) {
  const ids = sql`SELECT id FROM kyc_submissions WHERE user_id = ${investor.id}`
  const call = { actor: await newOperator(), nowMs: Date.now() }
  const read = readRiskFacts('kyc', ids, call as unknown as ActorCall)
  const [[facts]] = await readTogether(openDatabase(env.DB), read)
  if (facts === undefined) throw new Error('No identity was sent.')
  const found = deriveRisk('kyc', facts).signals.find(({ rule }) => rule === 'referral_shared')
  return found && [found.note, found.count]
}

/** Gives a session another network address, as if the person had signed in elsewhere. */
async function moveTo({ id }: Person, ip: string): Promise<void> {
  await env.DB.prepare('UPDATE sessions SET ip = ? WHERE user_id = ?').bind(ip, id).run()
}

test('what an investor shares with people of the same referrer is a sign in their cases', async () => {
  const ana = await newInvestor({ name: 'Ana Torres' })
  const [ben, cem, dan] = [
    await invitedBy(ana, { name: 'Ben Okri', availableCents: 500_00 }),
    await invitedBy(ana, { name: 'Cem Aydin', availableCents: 500_00 }),
    await invitedBy(ana, { name: 'Dan Moss' }),
  ]
  const places = [ana, ben, cem, dan].map((person, place) => moveTo(person, `198.51.100.${place}`))
  await Promise.all(places)
  expect(await listSharedTraits(ben)).toBeUndefined()

  // Ben's IPv6 network is Cem's.
  await moveTo(ben, '2001:db8:1:2::1')
  await moveTo(cem, '2001:db8:1:2::99')
  const { address: paymentTo } = await newWallet()
  const image = newPicture()
  for (const person of [ben, cem]) expect((await fileDeposit(person, { image, paymentTo })).status).toBe(201)
  for (const person of [ben, cem])
    expect((await withdraw(person, { amount: '10.00' }, '/withdrawals/online-service')).status).toBe(201)
  for (const [person, name] of [
    [cem, 'José Núñez'],
    [dan, 'jose nunez'],
  ] as const)
    await env.DB.prepare('UPDATE kyc_submissions SET document_name = ? WHERE user_id = ?')
      .bind(name, person.id)
      .run()
  const [name, receipt] = ['the name on the identity document', 'a receipt']
  const [account, network] = ['a bank account or address', 'a network, as families and offices do']
  expect(await listSharedTraits(ana)).toBeUndefined()
  expect(await listSharedTraits(ben)).toEqual([`${receipt}, ${account}, ${network}`, 1])
  expect(await listSharedTraits(cem)).toEqual([`${name}, ${receipt}, ${account}, ${network}`, 2])
  expect(await listSharedTraits(dan)).toEqual([name, 1])
  // Of the person who invited them, too.
  await moveTo(ana, '2001:db8:1:2::5')
  expect(await listSharedTraits(ana)).toEqual([network, 2])
})

test('strangers who share a network or a destination are not compared', async () => {
  const [ana, eve] = [await newInvestor(), await newInvestor()]
  const [ben, fay] = [await invitedBy(ana), await invitedBy(eve)]
  await moveTo(ana, '198.51.100.21')
  await moveTo(eve, '198.51.100.22')
  for (const person of [ben, fay, await newInvestor()]) await moveTo(person, '198.51.100.20')
  for (const person of [ana, eve, ben, fay, await newInvestor()])
    expect(await listSharedTraits(person)).toBeUndefined()
})

test('the cost does not grow with the number of invited people or with what they did', async () => {
  const operator = await newOperator()
  const measureCase = async (person: Person) => {
    const id = await withdrawal(person, '10')
    return (await cost('GET', `/operator/withdrawals/${id}`, { token: operator.token })).counted
  }
  const ana = await newInvestor()
  const first = await invitedBy(ana, { availableCents: 500_00 })
  await fill(ana, 25)
  const few = await measureCase(first)
  await fill(ana, 400)
  const many = await measureCase(first)
  expect(many.trips).toBe(2)
  expect(many.rowsRead - few.rowsRead).toBeLessThanOrEqual(20)
  expect(many.rowsRead).toBeLessThanOrEqual(600)
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
