import { expect, test } from 'vitest'
import { CRYPTO_WITHDRAWAL, withdraw } from '../../../test/support/filing.ts'
import { call } from '../../../test/support/http.ts'
import { newInvestor } from '../../../test/support/people.ts'
import { setSetting } from '../../../test/support/settings.ts'

test('an amount below the minimum is refused together with the other fields, in the order of the form', async () => {
  await setSetting('minimums', { deposit: 0, withdrawal: 20_00 })
  const ana = await newInvestor({ availableCents: 1000_00 })
  const small = await withdraw(ana, { amount: '19.99' })
  expect(small).toMatchObject({ status: 422, body: { code: 'validation_failed' } })
  expect(small.body.fields).toEqual({ amount: 'The smallest withdrawal is $20.00' })
  const both = await call('POST', '/withdrawals', {
    token: ana.token,
    json: { ...CRYPTO_WITHDRAWAL, amount: '1', address: 'x' },
  })
  expect(Object.keys(both.body.fields ?? {})).toEqual(['amount', 'address'])
  expect(await withdraw(ana, { amount: '20' })).toMatchObject({ status: 201 })
})

test('the whole available balance can be withdrawn, however small it is', async () => {
  await setSetting('minimums', { deposit: 0, withdrawal: 20_00 })
  const ana = await newInvestor({ availableCents: 1_37 })
  expect((await withdraw(ana, { amount: '1.36' })).body.fields).toEqual({
    amount: 'The smallest withdrawal is $20.00',
  })
  expect(await withdraw(ana, { amount: '1.37' })).toMatchObject({ status: 201 })
})

test('if the settings require no identity, nobody needs one', async () => {
  await setSetting('kycRequired', false)
  const ana = await newInvestor({ kyc: 'none', availableCents: 1000_00 })
  expect(await withdraw(ana, { amount: '20' })).toMatchObject({ status: 201 })
  await setSetting('kycRequired', true)
  expect(await withdraw(ana, { amount: '20' })).toMatchObject({ status: 403, body: { code: 'kyc_required' } })
})
