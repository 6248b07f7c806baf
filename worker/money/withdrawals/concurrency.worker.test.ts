import { env } from 'cloudflare:workers'
import { beforeAll, expect, test } from 'vitest'
import { bankWithdrawal } from '../../../src/contract/money/withdrawals.ts'
import { BANK_WITHDRAWAL, CRYPTO_WITHDRAWAL, withdraw } from '../../../test/support/filing.ts'
import { call } from '../../../test/support/http.ts'
import { booksOf } from '../../../test/support/money.ts'
import { newInvestor } from '../../../test/support/people.ts'
import { setSetting } from '../../../test/support/settings.ts'
import { newCode } from '../../identity/mailedCodes/codes.ts'
import { openDatabase, runBatch, type Statement } from '../../lib/database.ts'
import { buildBankDestination } from './destination.ts'

// These withdrawals are smaller than the network's minimum.
beforeAll(() => setSetting('minimums', { btc: 0 }))

const REQUESTS = 200

test('of two hundred parallel confirmed withdrawals with money for ten, exactly ten are filed', async () => {
  const ana = await newInvestor({ availableCents: 1000_00 })
  const db = openDatabase(env.DB)
  const statements: Statement[] = []
  const bodies: Record<string, string>[] = []
  // Each to its own account, with the code mailed for it.
  for (let i = 0; i < REQUESTS; i++) {
    const body = { ...BANK_WITHDRAWAL, accountNumber: `ACCOUNT-${i}` }
    const { hash } = await buildBankDestination(bankWithdrawal.parse(body))
    const bound = { investor: ana.id, amountCents: 100_00, destinationHash: hash }
    const made = await newCode(env, db, bound, Date.now())
    statements.push(...made.statements)
    bodies.push({ ...body, code: made.code })
  }
  await runBatch(db, statements)

  const replies = await Promise.all(
    bodies.map((json) => call('POST', '/withdrawals/online-service', { token: ana.token, json })),
  )
  expect(replies.filter(({ status }) => status === 201)).toHaveLength(10)
  expect(replies.filter(({ body }) => body.code === 'insufficient_funds')).toHaveLength(REQUESTS - 10)
  expect(await booksOf(ana.id)).toMatchObject({ available: 0, held: 1000_00, totalBalance: 1000_00 })
}, 60_000)

test('without proof at most half is withdrawn, also in parallel', async () => {
  const ana = await newInvestor({ availableCents: 2000_00 })
  expect(await withdraw(ana, { amount: '1' })).toMatchObject({ status: 201 })
  const replies = await Promise.all(
    Array.from({ length: REQUESTS }, () =>
      call('POST', '/withdrawals', { token: ana.token, json: CRYPTO_WITHDRAWAL }),
    ),
  )
  // The ninth makes 901 of 2,000; a tenth would make 1,001.
  expect(replies.filter(({ status }) => status === 201)).toHaveLength(9)
  for (const { status, body } of replies) {
    if (status !== 201) expect(['step_up_required', 'too_many_requests']).toContain(body.code)
    if (body.code === 'step_up_required') expect(body.reasons).toEqual(['large_share'])
  }
  expect(await booksOf(ana.id)).toMatchObject({ available: 1099_00, held: 901_00 })
}, 60_000)

test('of thirty parallel small withdrawals at most twenty are open', async () => {
  const ana = await newInvestor({ availableCents: 10_000_00 })
  expect(await withdraw(ana, { amount: '1' })).toMatchObject({ status: 201 })
  const json = { ...CRYPTO_WITHDRAWAL, amount: '1' }
  const replies = await Promise.all(
    Array.from({ length: 30 }, () => call('POST', '/withdrawals', { token: ana.token, json })),
  )
  expect(replies.filter(({ status }) => status === 201)).toHaveLength(19)
  expect(replies.filter(({ body }) => body.code === 'too_many_open')).toHaveLength(11)
  expect(await booksOf(ana.id)).toMatchObject({ held: 20_00 })
})
