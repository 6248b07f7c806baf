import { env } from 'cloudflare:workers'
import { expect, test } from 'vitest'
import type { OperatorTreasury } from '../../../src/contract/console/treasury.ts'
import type { OperatorWithdrawal } from '../../../src/contract/console/withdrawals.ts'
import type { Limits } from '../../../src/contract/money/limits.ts'
import { call } from '../../../test/support/http.ts'
import {
  approveProposal,
  approveWithdrawal,
  as,
  completeWithdrawal,
  propose,
  withdrawal,
} from '../../../test/support/operating.ts'
import { newInvestor, newOperator } from '../../../test/support/people.ts'

test('one operator pauses payouts, nobody approves or pays meanwhile, and two administrators resume them', async () => {
  const [treasurer, first, second] = [
    await newOperator({ roles: ['treasurer'], name: 'Tess Ury' }),
    await newOperator({ roles: ['administrator'] }),
    await newOperator({ roles: ['administrator'] }),
  ]
  const payer = await newOperator({ roles: ['treasurer'] })
  const ana = await newInvestor({ availableCents: 100_00 })
  const approved = await withdrawal(ana, '10')
  await approveWithdrawal(treasurer, approved)
  const resume = { kind: 'payout_resumption', reason: 'All keys are accounted for' }
  expect((await propose(first, resume)).status).toBe(409)

  const paused = await as<{ since: string }>(treasurer, 'POST', '/operator/treasury/pause', {
    reason: 'A signing device is missing',
  })
  const { pause } = (await as<OperatorTreasury>(payer, 'GET', '/operator/treasury')).body
  expect(pause).toMatchObject({
    since: paused.body.since,
    by: { name: 'Tess Ury' },
    reason: 'A signing device is missing',
  })
  expect(await as(first, 'POST', '/operator/treasury/pause', { reason: 'Again' })).toMatchObject({
    status: 409,
    body: { code: 'already_decided' },
  })

  // Requests are still taken, and the investor is told since when payouts are paused, but not why.
  const requested = await withdrawal(ana, '10')
  const limits = (await call<Limits>('GET', '/limits', { token: ana.token })).body
  expect(limits.payoutsPausedSince).toBe(paused.body.since)
  expect(JSON.stringify(limits)).not.toContain('signing device')
  const refused = { status: 409, body: { code: 'payouts_paused' } }
  expect(await approveWithdrawal(payer, requested)).toMatchObject(refused)
  expect(await completeWithdrawal(payer, approved)).toMatchObject(refused)
  // The cases say it before anybody sends money.
  const findPause = async (id: string) =>
    (await as<OperatorWithdrawal>(payer, 'GET', `/operator/withdrawals/${id}`)).body.payoutPause
  expect([await findPause(requested), await findPause(approved)]).toEqual([pause, pause])

  const proposed = await propose(first, resume)
  expect(proposed.status).toBe(201)
  expect((await propose(treasurer, resume)).status).toBe(403)
  expect((await approveProposal(first, proposed.body._id)).status).toBe(403)
  expect((await approveProposal(treasurer, proposed.body._id)).status).toBe(403)
  expect((await approveProposal(second, proposed.body._id)).status).toBe(200)
  expect((await as<OperatorTreasury>(payer, 'GET', '/operator/treasury')).body.pause).toBeNull()
  expect([await findPause(requested), await findPause(approved)]).toEqual([null, null])
  expect((await approveWithdrawal(payer, requested)).status).toBe(200)
  expect((await completeWithdrawal(payer, approved)).status).toBe(200)
  const { results } = await env.DB.prepare(
    "SELECT action FROM audit_log WHERE action LIKE 'payouts.%' ORDER BY seq",
  ).all<{ action: string }>()
  expect(results.map(({ action }) => action)).toEqual(['payouts.paused', 'payouts.resumed'])
})
