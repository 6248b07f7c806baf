import type { AuditEntry } from '../../src/contract/console/audit.ts'
import { callApi } from './support/http.ts'
import { newReference, operatorSession } from './support/people.ts'
import { expect, test } from './support/test.ts'
import {
  decideAll,
  decidedOrNext,
  fillDecision,
  fillQueues,
  INITIAL_BALANCE,
  openCaseAt,
  openId,
  openStatus,
  QUEUES,
  REQUESTED_DEPOSITS,
  searchQueue,
} from './support/workday.ts'

/** Actions of the audit log that decide a case. */
const DECISIONS = [
  'deposit.credited',
  'deposit.rejected',
  'withdrawal.approved',
  'withdrawal.rejected',
  'withdrawal.completed',
  'kyc.approved',
  'kyc.rejected',
  'message.answered',
]

test('two operators decide 50 cases by keyboard alone, and none twice', async ({ open }) => {
  // Takes half a minute on two idle cores, and four times that on busy ones.
  test.setTimeout(240_000)
  const mark = `Day${newReference().slice(3, 10)}`
  const { ids, depositors } = await fillQueues(mark)
  expect(ids).toHaveLength(50)
  const first = await open(operatorSession('first'))
  const second = await open(operatorSession('second'))

  for (const queue of QUEUES) {
    await Promise.all([searchQueue(first, queue, mark), searchQueue(second, queue, mark)])
    if (queue === 'deposits') {
      // Both open the same case and confirm it at the same moment.
      for (const page of [first, second]) {
        await openCaseAt(page, 'last')
        await fillDecision(page)
      }
      const same = await openId(first)
      await Promise.all([first.keyboard.press('Enter'), second.keyboard.press('Enter')])
      await Promise.all([decidedOrNext(first, same), decidedOrNext(second, same)])
      const words = await Promise.all([first, second].map((page) => page.getByRole('dialog').textContent()))
      expect(words.filter((text) => /Nothing was done|Already decided/.test(text ?? ''))).toHaveLength(1)
      await searchQueue(first, queue, mark)
    } else await openCaseAt(second, 'last')
    // One goes down the queue and the other up, until they meet.
    await openCaseAt(first, 'first')
    await Promise.all([decideAll(first, queue, 'down'), decideAll(second, queue, 'up')])
  }

  const { token } = operatorSession('first')
  for (const queue of QUEUES) {
    const left = await callApi('GET', `/operator/${queue}?status=${openStatus(queue)}&query=${mark}`, {
      token,
    })
    expect(left, queue).toEqual([])
  }
  const lines = await Promise.all(
    ids.map((id) => callApi<AuditEntry[]>('GET', `/operator/audit-log?subject=${id}`, { token })),
  )
  const decided = lines.map((about) => about.filter(({ action }) => DECISIONS.includes(action)))
  expect(
    decided.map(({ length }) => length),
    'audit lines per case',
  ).toEqual(ids.map(() => 1))
  const refused = decided.flat().filter(({ action }) => action === 'deposit.rejected')
  expect(refused).toHaveLength(depositors.length)
  expect(new Set(decided.flat().map(({ actor }) => actor)).size, 'operators who decided').toBe(2)
  expect(await callApi('GET', '/operator/ledger/trial-balance', { token })).toMatchObject({ balanced: true })
  const credited = REQUESTED_DEPOSITS.slice(0, -1).reduce((sum, amount) => sum + amount, INITIAL_BALANCE)
  for (const { session, withdrawals } of depositors) {
    const figures = await callApi('GET', '/users/user-info', { token: session.token })
    expect(figures).toMatchObject({
      deposits: credited,
      pendingDeposits: 0,
      available: credited - withdrawals,
    })
  }
})
