import { env } from 'cloudflare:workers'
import { expect, test } from 'vitest'
import type { SavedAddress } from '../../../src/contract/money/destinations.ts'
import { totpCode } from '../../../test/support/codes.ts'
import {
  CRYPTO_WITHDRAWAL,
  changeAddress,
  GOOD_ADDRESS,
  mailedCode,
  withdraw,
} from '../../../test/support/filing.ts'
import { type AnyBody, call } from '../../../test/support/http.ts'
import { mailsTo, mailTo } from '../../../test/support/mailbox.ts'
import { newInvestor, newOperator } from '../../../test/support/people.ts'
import { newTotpSecret } from '../../lib/crypto/totp.ts'

type Fields = Readonly<Record<string, unknown>>
interface Somebody {
  readonly token: string
  readonly email: string
}

const EVM_ADDRESS = '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed'
const COLD = { label: 'Cold wallet', type: 'bitcoin', network: 'btc', address: GOOD_ADDRESS }

const save = (person: Somebody, fields: Fields = {}) =>
  changeAddress<SavedAddress>(person, { ...COLD, ...fields })
const OTHER_ADDRESS = '1A1zP1eP5QGefi2DMPTfTL5SLmv7DivfNa'
const CONFIRM = /^Confirm a change of your address book$/

/** Without a code, unless it is among the fields. */
const post = ({ token }: Somebody, fields: Fields = {}) =>
  call<SavedAddress & AnyBody>('POST', '/users/addresses', { token, json: { ...COLD, ...fields } })
const list = ({ token }: Somebody, query = '') =>
  call<SavedAddress[]>('GET', `/users/addresses${query}`, { token })
const rename = (person: Somebody, id: string, label: unknown) =>
  changeAddress<SavedAddress>(person, { label }, id)
const remove = ({ token }: Somebody, id: string) => call('DELETE', `/users/addresses/${id}`, { token })

test('an address is saved under a name, listed, renamed and deleted', async () => {
  const ana = await newInvestor()
  expect(await list(ana)).toMatchObject({ status: 200, body: [] })
  const saved = await save(ana, { label: '  Cold wallet ' })
  expect(saved.status).toBe(201)
  expect(saved.body).toEqual({ ...COLD, _id: saved.body._id, createdAt: expect.stringMatching(/Z$/) })
  const second = await save(ana, {
    label: 'Exchange',
    type: 'usdt',
    network: 'usdt-bsc',
    address: EVM_ADDRESS,
  })
  expect((await list(ana)).body).toEqual([second.body, saved.body])
  const renamed = await rename(ana, saved.body._id, 'Ledger at home')
  expect(renamed).toMatchObject({ status: 200, body: { ...saved.body, label: 'Ledger at home' } })
  expect(await remove(ana, second.body._id)).toMatchObject({ status: 204 })
  expect((await list(ana)).body).toEqual([renamed.body])
  expect(await remove(ana, second.body._id)).toMatchObject({ status: 404 })
})

test('an address that a withdrawal would refuse is not saved', async () => {
  const ana = await newInvestor()
  const cases: [Fields, string][] = [
    [{ label: ' ' }, 'label'],
    [{ label: 'x'.repeat(61) }, 'label'],
    [{ type: 'dogecoin' }, 'type'],
    [{ network: 'lightning' }, 'network'],
    [{ network: 'eth', address: EVM_ADDRESS }, 'network'],
    [{ address: '' }, 'address'],
    [{ address: `${GOOD_ADDRESS.slice(0, -1)}5` }, 'address'],
    [{ address: 'tb1qw508d6qejxtdg4y5r3zarvary0c5xw7kxpjzsx' }, 'address'],
    [{ type: 'ethereum', network: 'eth', address: EVM_ADDRESS.replace('aA', 'Aa') }, 'address'],
  ]
  for (const [fields, field] of cases) {
    const { status, body } = await save(ana, fields)
    expect([fields, status, Object.keys(body.fields ?? {})]).toEqual([fields, 422, [field]])
  }
  expect((await list(ana)).body).toEqual([])
})

test('each address and each name is in a book once, in any spelling', async () => {
  const [ana, bela] = [await newInvestor(), await newInvestor()]
  const first = await save(ana)
  const again = await save(ana, { label: 'Other', address: GOOD_ADDRESS.toUpperCase() })
  expect(again).toMatchObject({ status: 409, body: { code: 'address_saved' } })
  const other = { type: 'ethereum', network: 'eth', address: EVM_ADDRESS }
  expect(await save(ana, { ...other, label: 'COLD WALLET' })).toMatchObject({
    status: 422,
    body: { fields: { label: 'You already use this name for another address' } },
  })
  const ether = await save(ana, { ...other, label: 'Ether' })
  // The same characters on another network are another destination.
  expect(
    await save(ana, { type: 'usdt', network: 'usdt-erc20', address: EVM_ADDRESS, label: 'Tether' }),
  ).toMatchObject({ status: 201 })
  expect(await rename(ana, ether.body._id, 'cold wallet')).toMatchObject({ status: 422 })
  expect(await rename(ana, first.body._id, 'cold wallet')).toMatchObject({ status: 200 })
  expect(await save(bela)).toMatchObject({ status: 201 })
})

test('parallel calls save an address once', async () => {
  const ana = await newInvestor()
  await post(ana)
  const code = await mailedCode(ana.email, CONFIRM)
  const replies = await Promise.all(Array.from({ length: 5 }, () => post(ana, { code })))
  expect(replies.filter(({ status }) => status === 201)).toHaveLength(1)
  expect((await list(ana)).body).toHaveLength(1)
})

test('a stolen session saves and renames nothing: it takes the proof of a withdrawal, and the owner is mailed', async () => {
  const ana = await newInvestor({ availableCents: 1000_00 })
  // Its device is known, because a withdrawal was confirmed in it.
  await withdraw(ana)
  const asked = await post(ana)
  expect(asked).toMatchObject({
    status: 403,
    body: { code: 'step_up_required', methods: ['email'], reasons: ['address_book'] },
  })
  expect(await post(ana, { code: '000000' })).toMatchObject({ status: 403, body: { code: 'invalid_code' } })
  const code = await mailedCode(ana.email, CONFIRM)
  // The code confirms this address under this name, and neither another nor a withdrawal.
  for (const fields of [{ label: 'Exchange' }, { address: OTHER_ADDRESS }])
    expect(await post(ana, { ...fields, code })).toMatchObject({ body: { code: 'invalid_code' } })
  const json = { ...CRYPTO_WITHDRAWAL, amount: '20.00', code }
  expect(await call('POST', '/withdrawals', { token: ana.token, json })).toMatchObject({
    body: { code: 'invalid_code' },
  })
  expect((await list(ana)).body).toEqual([])
  const saved = await post(ana, { code })
  expect(saved.status).toBe(201)
  const mail = await mailTo(ana.email, /^Your address book was changed$/)
  expect(mail.text).toContain(GOOD_ADDRESS)
  expect(mail.text).toContain('/lock-account')
  expect(mail.text).not.toContain('Cold wallet')
  const patch = (more: Fields) =>
    call('PATCH', `/users/addresses/${saved.body._id}`, {
      token: ana.token,
      json: { label: 'Mine', ...more },
    })
  for (const more of [{ code }, {}])
    expect(await patch(more)).toMatchObject({
      status: 403,
      body: { code: 'code' in more ? 'invalid_code' : 'step_up_required' },
    })
  expect((await list(ana)).body).toMatchObject([{ label: 'Cold wallet' }])
})

test('a code of the authenticator app saves an address, once', async () => {
  const secret = newTotpSecret()
  const ana = await newInvestor({ totpSecret: secret })
  const code = totpCode(secret)
  expect((await post(ana)).body.methods).toEqual(['totp', 'email'])
  expect((await post(ana, { code })).status).toBe(201)
  expect(await post(ana, { label: 'Other', address: OTHER_ADDRESS, code })).toMatchObject({
    body: { code: 'invalid_code' },
  })
})

test('what stands in the way is refused before a code is mailed', async () => {
  const ana = await newInvestor()
  await save(ana)
  const before = (await mailsTo(ana.email)).length
  expect(await post(ana, { label: 'Other' })).toMatchObject({ status: 409, body: { code: 'address_saved' } })
  expect(await post(ana, { address: OTHER_ADDRESS })).toMatchObject({ status: 422 })
  expect(await mailsTo(ana.email)).toHaveLength(before)
})

test('a book holds 50 addresses, and pages through them without skipping one', async () => {
  const ana = await newInvestor()
  const insert = env.DB.prepare(
    `INSERT INTO saved_addresses (id, investor, label, network, address, destination_hash, created_at)
     VALUES (?1 || ?2, ?2, 'Address ' || ?1, 'btc', 'a', ?1, 1000 + ?1 / 3)`,
  )
  await env.DB.batch(Array.from({ length: 49 }, (_, i) => insert.bind(String(i), ana.id)))
  expect(await save(ana)).toMatchObject({ status: 201 })
  const over = await save(ana, {
    label: 'One more',
    type: 'ethereum',
    network: 'eth',
    address: EVM_ADDRESS,
  })
  expect(over).toMatchObject({ status: 409, body: { code: 'too_many_addresses' } })
  expect((await list(ana)).body).toHaveLength(50)
  const seen: string[] = []
  for (let query: string | undefined = '?limit=7'; query !== undefined; ) {
    const { body, headers } = await list(ana, query)
    seen.push(...body.map(({ _id }) => _id))
    query = /<[^?]*(\?[^>]*)>/.exec(headers.get('Link') ?? '')?.[1]
  }
  expect(new Set(seen).size).toBe(50)
  expect(seen).toHaveLength(50)
  expect((await list(ana, '?limit=0')).status).toBe(422)
})

test('nobody sees or changes another investor’s book', async () => {
  const [ana, bela, operator] = [await newInvestor(), await newInvestor(), await newOperator()]
  const { _id } = (await save(ana)).body
  for (const other of [bela, operator]) {
    expect((await list(other)).body).toEqual([])
    expect(await rename(other, _id, 'Mine now')).toMatchObject({ status: 404 })
    expect(await remove(other, _id)).toMatchObject({ status: 404 })
  }
  expect((await list(ana)).body).toMatchObject([{ _id, label: 'Cold wallet' }])
  expect(await save(operator)).toMatchObject({ status: 403 })
  expect((await call('GET', '/users/addresses')).status).toBe(401)
})

test('a saved address does not count as a confirmed destination', async () => {
  const ana = await newInvestor({ availableCents: 1000_00 })
  await save(ana)
  const reply = await call('POST', '/withdrawals', { token: ana.token, json: CRYPTO_WITHDRAWAL })
  expect(reply).toMatchObject({ status: 403, body: { code: 'step_up_required' } })
  expect(reply.body.reasons).toContain('new_destination')
})

test('the audit log names neither the address nor its label', async () => {
  const ana = await newInvestor()
  const { _id } = (await save(ana)).body
  await remove(ana, _id)
  const { results } = await env.DB.prepare('SELECT * FROM audit_log WHERE subject = ?').bind(_id).all()
  expect(results).toHaveLength(2)
  expect(JSON.stringify(results)).not.toMatch(/Cold|bc1q/)
})
