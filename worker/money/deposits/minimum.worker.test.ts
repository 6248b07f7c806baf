import { expect, test } from 'vitest'
import { fileDeposit } from '../../../test/support/filing.ts'
import { newInvestor } from '../../../test/support/people.ts'
import { setSetting } from '../../../test/support/settings.ts'

test('an amount below the minimum is refused with a sentence that names the minimum', async () => {
  await setSetting('minimums', { deposit: 50_00, withdrawal: 0 })
  const ana = await newInvestor()
  const reply = await fileDeposit(ana, { amount: '49.99' })
  expect(reply).toMatchObject({ status: 422, body: { code: 'validation_failed' } })
  expect(reply.body.fields).toEqual({ amount: 'The smallest deposit is $50.00' })
  expect(await fileDeposit(ana, { amount: '50' })).toMatchObject({ status: 201 })
  const both = await fileDeposit(ana, { amount: '1', paymentTo: 'nowhere' })
  expect(Object.keys(both.body.fields ?? {})).toEqual(['amount', 'paymentTo'])
})
