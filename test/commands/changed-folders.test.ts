import { expect, test } from 'vitest'
import { foldersToTest } from './changed-folders.mjs'

test('the folders to test are those of the files, of the area of a contract, and the ledger for a migration', () => {
  expect(
    foldersToTest([
      'worker/money/deposits/request.ts',
      'worker/money/deposits/cancel.ts',
      'src/contract/outreach/contact.ts',
      'migrations/0004_ledger.sql',
      'worker/pipeline.ts',
      'README.md',
    ]),
  ).toEqual(['worker/http', 'worker/ledger', 'worker/money/deposits', 'worker/outreach'])
})

test('a folder within another one is tested once', () => {
  expect(foldersToTest(['src/contract/money/money.ts', 'worker/money/deposits/cancel.ts'])).toEqual([
    'worker/money',
  ])
})
