import { expect, test } from 'vitest'
import { getCoinOfNetwork, NETWORKS } from '../../../src/contract/money/coins.ts'
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

test('an amount below the minimum of its network is refused with the reason, and a bank has none', async () => {
  await setSetting('minimums', { deposit: 0, withdrawal: 0 })
  const ana = await newInvestor({ availableCents: 1000_00 })
  const small = await withdraw(ana, { amount: '1.99' })
  expect(small).toMatchObject({ status: 422, body: { code: 'validation_failed' } })
  expect(small.body.fields).toEqual({
    amount: 'The smallest withdrawal over Bitcoin is $2.00, so that it covers the network’s fee',
  })
  expect(await withdraw(ana, { amount: '2' })).toMatchObject({ status: 201 })
  expect(await withdraw(ana, { amount: '0.01' }, '/withdrawals/online-service')).toMatchObject({
    status: 201,
  })
})

test.each(NETWORKS)('two dollars can be withdrawn over %s', async (network) => {
  await setSetting('minimums', { deposit: 0, withdrawal: 0 })
  const ana = await newInvestor({ availableCents: 1000_00 })
  const { fields } = (
    await withdraw(ana, { amount: '2', type: getCoinOfNetwork(network), network, address: 'x' })
  ).body
  expect(Object.keys(fields ?? {})).toEqual(['address'])
  const small = await withdraw(ana, {
    amount: '0.99',
    type: getCoinOfNetwork(network),
    network,
    address: 'x',
  })
  expect(Object.keys(small.body.fields ?? {})).toEqual(['amount', 'address'])
})

test('the larger of the two minimums counts, and 0 means none', async () => {
  const ana = await newInvestor({ availableCents: 1000_00 })
  await setSetting('minimums', { deposit: 0, withdrawal: 12_00, btc: 15_00 })
  expect((await withdraw(ana, { amount: '14.99' })).body.fields).toEqual({
    amount: 'The smallest withdrawal over Bitcoin is $15.00, so that it covers the network’s fee',
  })
  await setSetting('minimums', { deposit: 0, withdrawal: 0, btc: 0 })
  expect(await withdraw(ana, { amount: '0.01' })).toMatchObject({ status: 201 })
})

test('all that is available can be withdrawn over a network, however small it is', async () => {
  await setSetting('minimums', { deposit: 0, withdrawal: 0, btc: 10_00 })
  const ana = await newInvestor({ availableCents: 1_37 })
  expect((await withdraw(ana, { amount: '1.36' })).body.fields).toHaveProperty('amount')
  expect(await withdraw(ana, { amount: '1.37' })).toMatchObject({ status: 201 })
  expect((await call('GET', '/limits', { token: ana.token })).body).toMatchObject({ available: 0 })
})

test('if the settings require no identity, nobody needs one', async () => {
  await setSetting('kycRequired', false)
  const ana = await newInvestor({ kyc: 'none', availableCents: 1000_00 })
  expect(await withdraw(ana, { amount: '20' })).toMatchObject({ status: 201 })
  await setSetting('kycRequired', true)
  expect(await withdraw(ana, { amount: '20' })).toMatchObject({ status: 403, body: { code: 'kyc_required' } })
})
