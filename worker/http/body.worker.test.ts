import { expect, test } from 'vitest'
import { CRYPTO_WITHDRAWAL, depositForm } from '../../test/support/filing.ts'
import { call } from '../../test/support/http.ts'
import { newInvestor } from '../../test/support/people.ts'
import { setSetting } from '../../test/support/settings.ts'

const json = { 'Content-Type': 'application/json' }

/** Requests a withdrawal with an amount as raw JSON, and returns the error. */
async function problemOf(token: string, amount: string): Promise<string | undefined> {
  const raw = JSON.stringify({ ...CRYPTO_WITHDRAWAL, amount: '?' }).replace('"?"', amount)
  const { body } = await call('POST', '/withdrawals', { token, headers: json, raw })
  return body.fields?.amount
}

test('a JSON number counts as written: no exponent, no third decimal', async () => {
  await setSetting('minimums', { btc: 0 })
  const { token } = await newInvestor({ availableCents: 5_000_00 })
  for (const amount of ['1e3', '1E2', '1e0', '5.000', '12.340', '10.0000000000000000001', '-0', '1e999']) {
    expect(await problemOf(token, amount), amount).toMatch(/amount in USD above zero/)
  }
  for (const amount of ['1000', '1500.5', '12.30', '7.0', '0.01', '"1500.50"']) {
    expect(await problemOf(token, amount), amount).toBeUndefined()
  }
})

test('unknown parts of a form are ignored in any form', async () => {
  const person = await newInvestor()
  const form = new FormData()
  for (const [name, value] of Object.entries(await depositForm())) form.append(name, value)
  form.append('bonus', '500')
  form.append('bonus', '900')
  form.append('extra', new Blob(['text']), 'extra.txt')
  expect((await call('POST', '/deposits', { token: person.token, form })).status).toBe(201)
  form.append('amount', '900')
  const twice = await call('POST', '/deposits', { token: person.token, form })
  expect([twice.status, twice.body.fields]).toEqual([422, { amount: 'Please send this field once' }])
})

test('JSON of any depth is refused in words, with an Idempotency-Key too', async () => {
  const { token } = await newInvestor({ availableCents: 100_00 })
  for (const deep of [
    '['.repeat(200_000) + ']'.repeat(200_000),
    `${'{"a":'.repeat(100_000)}1.234${'}'.repeat(100_000)}`,
  ]) {
    for (const idempotencyKey of [undefined, `deep-${deep.length}`]) {
      const { status } = await call('POST', '/withdrawals', {
        token,
        headers: json,
        raw: `{"amount":${deep}}`,
        idempotencyKey,
      })
      expect([400, 422]).toContain(status)
    }
  }
})

test('a repeated query field is refused with a message', async () => {
  const { token } = await newInvestor()
  const { status, body } = await call('GET', '/users/user-info?fields=bonus&fields=profits', { token })
  expect([status, body.msg]).toEqual([422, 'Please send fields once, as what it is asked for'])
})
