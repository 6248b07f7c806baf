import { env } from 'cloudflare:workers'
import { expect, test } from 'vitest'
import type { Network } from '../../../src/contract/money/coins.ts'
import type { SavedAddress } from '../../../src/contract/money/destinations.ts'
import { DAY_MS } from '../../../src/time.ts'
import { totpCode } from '../../../test/support/codes.ts'
import { letChangePass, setSecurityChange } from '../../../test/support/factors.ts'
import { changeAddress, withdraw } from '../../../test/support/filing.ts'
import { type AnyBody, call } from '../../../test/support/http.ts'
import { mailTo } from '../../../test/support/mailbox.ts'
import { as } from '../../../test/support/operating.ts'
import { newInvestor, newOperator, type Person } from '../../../test/support/people.ts'
import { accountSigner, type Signer, segwitSigner, taprootSigner } from '../../../test/support/signers.ts'
import { VECTORS } from '../../../test/support/walletVectors.ts'
import { withTriggerDropped } from '../../../test/support/withTriggerDropped.ts'
import { newTotpSecret } from '../../lib/crypto/totp.ts'

const save = async (
  person: Person,
  signer: Pick<Signer, 'address'>,
  network: Network = 'btc',
  type = 'bitcoin',
) =>
  (
    await changeAddress<SavedAddress>(person, {
      label: `${type} ${network}`,
      type,
      network,
      address: signer.address,
    })
  ).body
const challenge = ({ token }: Person, id: string) =>
  call<{ message: string; expiresAt: string } & AnyBody>('POST', `/users/addresses/${id}/challenge`, {
    token,
  })
const prove = ({ token, password }: Person, id: string, signature: string, more: object = {}) =>
  call<SavedAddress & AnyBody>('POST', `/users/addresses/${id}/proof`, {
    token,
    json: { signature, password, ...more },
  })

test.each<[string, Signer, Network, string]>([
  ['BIP-322', segwitSigner('mine'), 'btc', 'bitcoin'],
  ['BIP-322 of taproot', taprootSigner('mine'), 'btc', 'bitcoin'],
  ['EIP-191', accountSigner('mine'), 'eth', 'ethereum'],
  ['EIP-191 for a token', accountSigner('mine'), 'usdt-erc20', 'usdt'],
  ['TIP-191', accountSigner('mine', 'tron'), 'usdt-trc20', 'usdt'],
])(
  'a signature by %s proves an address, which is then paid without the delay',
  async (_, signer, network, type) => {
    const ana = await newInvestor({ availableCents: 1000_00 })
    const saved = await save(ana, signer, network, type)
    const { message, expiresAt } = (await challenge(ana, saved._id)).body
    expect(message).toContain(new URL(env.PUBLIC_ORIGIN).host)
    for (const part of [signer.address, ana.id, expiresAt]) expect(message).toContain(part)
    const proved = await prove(ana, saved._id, signer.sign(message))
    expect(proved).toMatchObject({ status: 200, body: { _id: saved._id, provedAt: expect.any(String) } })
    expect((await mailTo(ana.email, /proved as yours$/)).text).toContain('/lock-account')
    const fields = { type, network, address: signer.address }
    const check = await call('POST', '/users/destinations/wallet', { token: ana.token, json: fields })
    expect(check.body).toEqual({ isKnown: false, heldUntil: null })
    const filed = await withdraw(ana, fields)
    expect(filed.status).toBe(201)
    expect(filed.body.heldUntil).toBeUndefined()
    const shown = await as(await newOperator(), 'GET', `/operator/withdrawals/${filed.body._id}`)
    expect(shown.body).toMatchObject({ ownerProvedAt: proved.body.provedAt })
  },
)

test('a published signature of another message proves nothing, and neither does anything hostile', async () => {
  const ana = await newInvestor({ availableCents: 1000_00 })
  const vector = VECTORS.find(({ network, message }) => network === 'btc' && message === 'Hello World')
  const saved = await save(ana, { address: vector?.address ?? '' })
  await challenge(ana, saved._id)
  const hostile = [vector?.signature ?? '', 'A'.repeat(1000), '0x', '\u202e', 'smp', `0x${'ff'.repeat(65)}`]
  for (const signature of hostile)
    expect(await prove(ana, saved._id, signature)).toMatchObject({
      status: 422,
      body: { fields: { signature: expect.any(String) } },
    })
  expect((await prove(ana, saved._id, 'A'.repeat(1001))).status).toBe(422)
  expect((await withdraw(ana, { address: saved.address })).body.heldUntil).toBeDefined()
})

test('a message proves once, within a day, and only the newest one of an address', async () => {
  const [ana, mine] = [await newInvestor(), segwitSigner('mine')]
  const saved = await save(ana, mine)
  expect(await prove(ana, saved._id, mine.sign('nothing'))).toMatchObject({ status: 409 })
  const first = (await challenge(ana, saved._id)).body.message
  const second = (await challenge(ana, saved._id)).body.message
  expect(await prove(ana, saved._id, mine.sign(first))).toMatchObject({ status: 422 })
  expect((await prove(ana, saved._id, mine.sign(second))).status).toBe(200)
  expect(await prove(ana, saved._id, mine.sign(second))).toMatchObject({
    status: 409,
    body: { code: 'conflict' },
  })
  const third = (await challenge(ana, saved._id)).body.message
  await withTriggerDropped(env.DB, 'owner_proofs_signed', () =>
    env.DB.prepare('UPDATE owner_proofs SET created_at = 1, expires_at = 2 WHERE message = ?')
      .bind(third)
      .run(),
  )
  expect(await prove(ana, saved._id, mine.sign(third))).toMatchObject({ status: 409 })
})

test('it takes the password and the second factor, and another key, person or session proves nothing', async () => {
  const secret = newTotpSecret()
  const [ana, bela, mine] = [
    await newInvestor({ totpSecret: secret }),
    await newInvestor(),
    segwitSigner('mine'),
  ]
  const saved = await save(ana, mine)
  const { message } = (await challenge(ana, saved._id)).body
  expect(await prove(ana, saved._id, segwitSigner('other').sign(message))).toMatchObject({ status: 422 })
  const signature = mine.sign(message)
  expect(await prove({ ...ana, password: 'a wrong password' }, saved._id, signature)).toMatchObject({
    body: { code: 'wrong_password' },
  })
  expect(await prove(ana, saved._id, signature)).toMatchObject({ body: { code: 'second_factor_required' } })
  expect((await challenge(bela, saved._id)).status).toBe(404)
  expect((await prove(bela, saved._id, signature)).status).toBe(404)
  // The same address in Bela's own book: the message names Ana.
  const belas = await save(bela, mine)
  await challenge(bela, belas._id)
  expect((await prove(bela, belas._id, signature)).status).toBe(422)
  expect((await challenge({ ...ana, token: 'none' }, saved._id)).status).toBe(401)
  expect((await challenge(await newOperator(), saved._id)).status).toBe(404)
  expect((await prove(ana, saved._id, signature, { code: totpCode(secret) })).status).toBe(200)
})

test('an address that no single key can sign for is refused', async () => {
  const ana = await newInvestor()
  const saved = await save(ana, { address: 'bc1qwqdg6squsna38e46795at95yu9atm8azzmyvckulcc7kytlcckxswvvzej' })
  expect(await challenge(ana, saved._id)).toMatchObject({ status: 409, body: { code: 'conflict' } })
})

test('a proof does not count in the 72 hours after a security change, nor one from before it', async () => {
  const [ana, mine] = [await newInvestor({ availableCents: 1000_00 }), segwitSigner('mine')]
  const saved = await save(ana, mine)
  const sign = async () => mine.sign((await challenge(ana, saved._id)).body.message)
  const first = await prove(ana, saved._id, await sign())
  const isDelayed = async () =>
    (await call('POST', '/users/destinations/wallet', { token: ana.token, json: saved })).body.heldUntil !==
    null
  expect(await isDelayed()).toBe(false)
  await setSecurityChange(ana, Date.parse(first.body.provedAt ?? '') + 1)
  expect(await isDelayed()).toBe(true)
  expect((await withdraw(ana, { address: mine.address })).body.heldUntil).toBeDefined()
  expect((await prove(ana, saved._id, await sign())).status).toBe(200)
  expect((await withdraw(ana, { address: mine.address })).body.heldUntil).toBeDefined()
  await letChangePass(ana)
  expect((await withdraw(ana, { address: mine.address, amount: '20' })).status).toBe(201)
})

test('a proof ends the running delay of its destination for later withdrawals, and no 48 hours of the lock', async () => {
  const [ana, mine] = [await newInvestor({ availableCents: 1000_00 }), segwitSigner('mine')]
  expect((await withdraw(ana, { address: mine.address })).body.heldUntil).toBeDefined()
  await call('POST', '/users/destination-lock', { token: ana.token })
  const saved = await save(ana, mine)
  const { message } = (await challenge(ana, saved._id)).body
  expect((await prove(ana, saved._id, mine.sign(message))).status).toBe(200)
  expect(await withdraw(ana, { address: mine.address })).toMatchObject({
    body: { code: 'destination_locked' },
  })
  await withTriggerDropped(env.DB, 'saved_addresses_renamed', () =>
    env.DB.prepare('UPDATE saved_addresses SET created_at = created_at - ? WHERE id = ?')
      .bind(2 * DAY_MS, saved._id)
      .run(),
  )
  const filed = await withdraw(ana, { address: mine.address, amount: '20' })
  expect(filed.status).toBe(201)
  expect(filed.body.heldUntil).toBeUndefined()
})

test('the database takes no delay away without a proof of this address by this investor', async () => {
  const [ana, bela, mine] = [await newInvestor(), await newInvestor(), segwitSigner('mine')]
  const saved = await save(ana, mine)
  await prove(ana, saved._id, mine.sign((await challenge(ana, saved._id)).body.message))
  const know = (investor: string, hash: string) =>
    env.DB.prepare(
      'INSERT INTO known_destinations (investor, destination_hash, confirmed_at) VALUES (?, ?, ?)',
    )
      .bind(investor, hash, Date.now())
      .run()
  const hash = await env.DB.prepare('SELECT destination_hash FROM owner_proofs WHERE investor = ?')
    .bind(ana.id)
    .first<string>('destination_hash')
  await expect(know(bela.id, hash ?? '')).rejects.toThrow(/destination_on_hold/)
  await expect(know(ana.id, 'another')).rejects.toThrow(/destination_on_hold/)
  await know(ana.id, hash ?? '')
  await expect(env.DB.prepare('UPDATE owner_proofs SET method = ?').bind('tip191').run()).rejects.toThrow(
    /already_decided/,
  )
  await expect(env.DB.prepare('DELETE FROM owner_proofs').run()).rejects.toThrow(/never deleted/)
})
