import { env } from 'cloudflare:workers'
import { expect, test } from 'vitest'
import type { DestinationLock } from '../../../src/contract/money/destinationLock.ts'
import type { SavedAddress } from '../../../src/contract/money/destinations.ts'
import type { Limits } from '../../../src/contract/money/limits.ts'
import { DAY_MS } from '../../../src/time.ts'
import { totpCode } from '../../../test/support/codes.ts'
import {
  BANK_WITHDRAWAL,
  CRYPTO_WITHDRAWAL,
  changeAddress,
  GOOD_ADDRESS,
  withdraw,
} from '../../../test/support/filing.ts'
import { type AnyBody, call } from '../../../test/support/http.ts'
import { mailsTo, mailTo } from '../../../test/support/mailbox.ts'
import { as } from '../../../test/support/operating.ts'
import { anotherSession, newInvestor, newOperator, type Person } from '../../../test/support/people.ts'
import { withTriggerDropped } from '../../../test/support/withTriggerDropped.ts'
import { distrust } from '../../identity/credentials/distrust.ts'
import { newTotpSecret } from '../../lib/crypto/totp.ts'
import { openDatabase, runBatch } from '../../lib/database.ts'

const COLD = { label: 'Cold wallet', type: 'bitcoin', network: 'btc', address: GOOD_ADDRESS }
const OTHER = { ...COLD, label: 'Other', address: '1A1zP1eP5QGefi2DMPTfTL5SLmv7DivfNa' }

const switchOn = ({ token }: Person) =>
  call<DestinationLock & AnyBody>('POST', '/users/destination-lock', { token })
const switchOff = ({ token, password }: Person, proof: object = {}) =>
  call<DestinationLock & AnyBody>('POST', '/users/destination-lock/off', {
    token,
    json: { password, ...proof },
  })
const readLock = async ({ token }: Person) =>
  (await call<Limits>('GET', '/limits', { token })).body.destinationLock

/** Moves the times of an investor's lock and saved addresses into the past. */
async function letPass(
  { id }: Person,
  table: 'destination_locks' | 'saved_addresses',
  column: string,
  ms: number,
) {
  const trigger = table === 'destination_locks' ? 'destination_locks_changed' : 'saved_addresses_renamed'
  await withTriggerDropped(env.DB, trigger, () =>
    env.DB.prepare(`UPDATE ${table} SET ${column} = ${column} - ? WHERE investor = ?`).bind(ms, id).run(),
  )
}

test('the lock is on at once: an address that is not saved is refused before a code is mailed, a saved one is not', async () => {
  const ana = await newInvestor({ availableCents: 1000_00 })
  await changeAddress(ana, COLD)
  expect(await readLock(ana)).toBeNull()
  expect(await switchOn(ana)).toMatchObject({ status: 200, body: { offFrom: null } })
  expect(await readLock(ana)).toEqual({ since: expect.any(String), offFrom: null })
  const mails = (await mailsTo(ana.email)).length
  const refused = await call('POST', '/withdrawals', {
    token: ana.token,
    json: { ...CRYPTO_WITHDRAWAL, address: OTHER.address },
  })
  expect(refused).toMatchObject({
    status: 409,
    body: { code: 'destination_locked', fields: { address: expect.stringContaining('48 hours later') } },
  })
  expect((await mailsTo(ana.email)).length).toBe(mails)
  expect((await withdraw(ana)).status).toBe(201)
  const { text } = await mailTo(ana.email, /^Your withdrawals go only to saved destinations$/)
  expect(text).toContain('/lock-account')
})

test('an address that is saved while the lock is on can be used 48 hours later', async () => {
  const ana = await newInvestor({ availableCents: 1000_00 })
  await switchOn(ana)
  const { body: saved } = await changeAddress<SavedAddress>(ana, COLD)
  expect(Date.parse(saved.usableFrom ?? '') - Date.now()).toBeGreaterThan(2 * DAY_MS - 60_000)
  const refused = await withdraw(ana)
  expect(refused).toMatchObject({
    status: 409,
    body: { fields: { address: expect.stringContaining('You can use this address from') } },
  })
  // Switching it on again does not begin it anew, which would make the address an older one.
  await switchOn(ana)
  expect((await withdraw(ana)).status).toBe(409)
  await letPass(ana, 'saved_addresses', 'created_at', 2 * DAY_MS)
  expect((await withdraw(ana)).status).toBe(201)
  const [listed] = (await call<SavedAddress[]>('GET', '/users/addresses', { token: ana.token })).body
  expect(listed?.usableFrom).toBeUndefined()
})

test('a bank account that was confirmed before can be paid, and a new one cannot', async () => {
  const ana = await newInvestor({ availableCents: 1000_00 })
  expect((await withdraw(ana, {}, '/withdrawals/online-service')).status).toBe(201)
  await switchOn(ana)
  expect((await withdraw(ana, { amount: '5' }, '/withdrawals/online-service')).status).toBe(201)
  const json = { ...BANK_WITHDRAWAL, accountNumber: '99887766554433' }
  const refused = await call('POST', '/withdrawals/online-service', { token: ana.token, json })
  expect(refused).toMatchObject({
    status: 409,
    body: { code: 'destination_locked', fields: { accountNumber: expect.any(String) } },
  })
})

test('the database refuses an unsaved destination itself, also one that the same batch makes known', async () => {
  const ana = await newInvestor({ availableCents: 1000_00 })
  await switchOn(ana)
  const now = Date.now()
  const know = env.DB.prepare(
    'INSERT INTO known_destinations (investor, destination_hash, confirmed_at, held_until) VALUES (?, ?, ?, ?)',
  ).bind(ana.id, 'a thief’s', now, now + 3 * DAY_MS)
  await expect(know.run()).rejects.toThrow(/destination_locked/)
  const backdated = env.DB.prepare(
    "INSERT INTO saved_addresses (id, investor, label, network, address, destination_hash, created_at) VALUES ('x', ?, 'x', 'btc', 'x', 'x', ?)",
  ).bind(ana.id, now - DAY_MS)
  await expect(backdated.run()).rejects.toThrow(/saved_addresses: wrong time/)
})

test('switching it off takes the password and 48 hours, is mailed, and can be cancelled', async () => {
  const ana = await newInvestor({ availableCents: 1000_00 })
  expect(await switchOff(ana)).toMatchObject({ status: 409, body: { code: 'conflict' } })
  const { since } = (await switchOn(ana)).body
  expect(await switchOff({ ...ana, password: 'wrong password' })).toMatchObject({
    body: { code: 'wrong_password' },
  })
  expect((await switchOff(ana)).status).toBe(200)
  const { offFrom } = (await readLock(ana)) ?? {}
  expect(Date.parse(offFrom ?? '') - Date.now()).toBeGreaterThan(2 * DAY_MS - 60_000)
  expect((await mailTo(ana.email, /will be switched off$/)).text).toContain('/lock-account')
  const news = await call<{ title: string }[]>('GET', '/users/notifications', { token: ana.token })
  expect(JSON.stringify(news.body)).toContain('will be switched off')
  expect(await switchOff(ana)).toMatchObject({ status: 409, body: { code: 'conflict' } })
  expect((await withdraw(ana)).status).toBe(409)
  expect((await switchOn(ana)).body).toEqual({ since, offFrom: null })
  expect((await switchOff(ana)).status).toBe(200)
  await letPass(ana, 'destination_locks', 'off_asked_at', 2 * DAY_MS)
  expect(await readLock(ana)).toBeNull()
  expect((await withdraw(ana)).status).toBe(201)
  expect(Date.parse((await switchOn(ana)).body.since)).toBeGreaterThan(Date.parse(since))
})

test('with a second factor, switching it off takes that, too', async () => {
  const secret = newTotpSecret()
  const ana = await newInvestor({ totpSecret: secret })
  await switchOn(ana)
  expect(await switchOff(ana)).toMatchObject({ body: { code: 'second_factor_required' } })
  expect((await switchOff(ana, { code: totpCode(secret) })).status).toBe(200)
})

test('nobody shortens the 48 hours: not a date in the past, not an operator, not a deleted row', async () => {
  const [ana, olu] = [await newInvestor(), await newOperator()]
  expect((await switchOn(olu)).status).toBe(403)
  expect((await switchOff(olu)).status).toBe(403)
  expect((await call('POST', '/users/destination-lock')).status).toBe(401)
  await switchOn(ana)
  const change = (set: string, ...values: unknown[]) =>
    env.DB.prepare(`UPDATE destination_locks SET ${set} WHERE investor = ?`)
      .bind(...values, ana.id)
      .run()
  const readSession = ({ id }: Person) =>
    env.DB.prepare('SELECT id FROM sessions WHERE user_id = ?').bind(id).first<string>('id')
  const [own, operators] = [await readSession(ana), await readSession(olu)]
  const set = 'off_asked_at = ?, off_session = ?'
  await expect(change(set, Date.now() - DAY_MS, own)).rejects.toThrow(/destination_locks: wrong time/)
  await expect(change(set, Date.now(), operators)).rejects.toThrow(/forbidden/)
  await expect(change('on_since = ?', Date.now())).rejects.toThrow(/conflict/)
  await expect(
    env.DB.prepare('DELETE FROM destination_locks WHERE investor = ?').bind(ana.id).run(),
  ).rejects.toThrow(/never deleted/)
  const shown = await as(olu, 'GET', `/operator/investors/${ana.id}`)
  expect(shown.body).toMatchObject({ savedDestinationsSince: expect.any(String) })
})

test('when an account is taken back, what an intruder asked for is undone and the lock stays on', async () => {
  const ana = await newInvestor()
  await switchOn(ana)
  await switchOff({ ...ana, token: await anotherSession(ana) })
  await letPass(ana, 'destination_locks', 'off_asked_at', 3 * DAY_MS)
  expect(await readLock(ana)).toBeNull()
  const db = openDatabase(env.DB)
  await runBatch(db, distrust({ userId: ana.id, cause: 'factors_removed', nowMs: Date.now() }))
  const { results } = await env.DB.prepare(
    'SELECT off_asked_at AS asked FROM destination_locks WHERE investor = ?',
  )
    .bind(ana.id)
    .all()
  expect(results).toEqual([{ asked: null }])
})
