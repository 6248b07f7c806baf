import { expect, test } from 'vitest'
import { getSettingFacts, SETTING_KEYS } from '../../../src/contract/console/settingList.ts'
import { call } from '../../../test/support/http.ts'
import { setSetting } from '../../../test/support/settings.ts'

const conditions = async () => (await call<{ setting: string }[]>('GET', '/conditions')).body

test('the public conditions have the public settings and nothing else', async () => {
  expect((await conditions()).map(({ setting }) => setting)).toEqual(
    SETTING_KEYS.filter((key) => getSettingFacts(key).isPublic),
  )
  expect(await conditions()).toContainEqual({ setting: 'minimums.deposit', value: 0, words: '$0.00' })

  await setSetting('minimums', { deposit: 20_00 })
  await setSetting('kycRequired', false)
  expect(await conditions()).toEqual(
    expect.arrayContaining([
      { setting: 'minimums.deposit', value: 20, words: '$20.00' },
      { setting: 'minimums.withdrawal', value: 0, words: '$0.00' },
      { setting: 'kycRequired', value: false, words: 'No' },
      { setting: 'retention.rejectedDocumentDays', value: 180, words: '180 days' },
    ]),
  )
})
