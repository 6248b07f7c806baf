import { env } from 'cloudflare:workers'
import { expect, test } from 'vitest'
import type { OperatorOverview } from '../../../src/contract/console/overview.ts'
import { DAY_MS } from '../../../src/time.ts'
import { mailsTo } from '../../../test/support/mailbox.ts'
import { as, deposit } from '../../../test/support/operating.ts'
import { newInvestor, newOperator } from '../../../test/support/people.ts'
import { openDatabase } from '../../lib/database.ts'
import { mailOverdue } from './overdue.ts'

test('an overdue case is counted, and mailed once to the operators who can do it', async () => {
  const [treasurer, support] = [await newOperator(), await newOperator({ roles: ['support'] })]
  const id = await deposit(await newInvestor(), '10')
  const read = async () =>
    (await as<OperatorOverview>(treasurer, 'GET', '/operator/overview')).body.waiting.deposit
  const { overdue } = await read()
  const later = Math.ceil((Date.now() + 2 * DAY_MS) / 900_000) * 900_000
  for (const nowMs of [later, later + 900_000, later + 60_000])
    await mailOverdue(env, openDatabase(env.DB), nowMs)
  const mails = await mailsTo(treasurer.email)
  expect(mails.map(({ subject }) => subject)).toEqual([expect.stringMatching(/overdue$/)])
  expect(mails[0]?.text).toContain('Deposits to credit: ')
  expect(await mailsTo(support.email)).toEqual([])
  const { results } = await env.DB.prepare('SELECT kind FROM overdue_mails WHERE case_id = ?').bind(id).all()
  expect(results).toEqual([{ kind: 'deposit' }])
  // Now nothing is overdue yet.
  expect((await read()).overdue).toBe(overdue)
})
