import { expect, test } from 'vitest'
import type { Proposal } from '../../../src/contract/console/proposals.ts'
import { SETTING_KEYS } from '../../../src/contract/console/settingList.ts'
import type { SettingHistory } from '../../../src/contract/console/settings.ts'
import { approveProposal, as } from '../../../test/support/operating.ts'
import { newInvestor, newOperator } from '../../../test/support/people.ts'

test('each setting shows its last change, by whom, and pending proposals', async () => {
  const [first, second] = [await newOperator(), await newOperator()]
  const standing = async () => {
    const { body } = await as<SettingHistory[]>(first, 'GET', '/operator/settings/history')
    expect(body.map(({ setting }) => setting)).toEqual(SETTING_KEYS)
    return (key: string) => body.find(({ setting }) => setting === key)
  }
  expect((await standing())('messagingNumber')).toEqual({
    setting: 'messagingNumber',
    steps: [],
    pending: [],
  })

  const proposed = await as<Proposal>(first, 'PATCH', '/operator/settings', {
    minimums: { deposit: 20 },
    reason: 'Small ones cost more than they bring',
  })
  expect(proposed.body.reason).toBe('Small ones cost more than they bring')
  const before = await standing()
  expect(before('minimums.deposit')).toMatchObject({
    steps: [],
    pending: [{ proposal: proposed.body._id, by: { _id: first.id }, after: '$20.00' }],
  })
  expect(before('minimums.withdrawal')?.pending).toEqual([])

  await approveProposal(second, proposed.body._id)
  const after = await standing()
  expect(after('minimums.deposit')).toMatchObject({
    steps: [
      { step: 'proposed', by: { _id: first.id }, note: 'Small ones cost more than they bring' },
      { step: 'approved', by: { _id: second.id } },
    ],
    pending: [],
  })
  expect(after('minimums.withdrawal')?.steps).toEqual([])
})

test('since when settings stand is an operator’s to read', async () => {
  const ana = await newInvestor()
  expect((await as(ana, 'GET', '/operator/settings/history')).status).toBe(403)
})
