import type { AuditEntry } from '../src/contract/console/audit.ts'
import { ask } from './support/http.ts'
import { newReference, operatorSession } from './support/people.ts'
import { expect, test } from './support/test.ts'
import {
  ANNOUNCED,
  fillQueues,
  openAtEnd,
  outcomeIn,
  PAID_BEFORE,
  QUEUES,
  readyToConfirm,
  search,
  waitingOf,
  workOff,
} from './support/workday.ts'

/** The acts of the audit log that decide what was filed. */
const DECISIONS = [
  'deposit.credited',
  'deposit.rejected',
  'withdrawal.approved',
  'withdrawal.rejected',
  'withdrawal.completed',
  'kyc.approved',
  'kyc.rejected',
  'message.closed',
]

test('two operators decide 50 waiting items with the keyboard alone, and nothing twice', async ({ open }) => {
  // It takes half a minute on two quiet cores, and four times that on busy ones.
  test.setTimeout(240_000)
  const mark = `Day${newReference().slice(3, 10)}`
  const { ids, payers } = await fillQueues(mark)
  expect(ids).toHaveLength(50)
  const first = await open(operatorSession('first'))
  const second = await open(operatorSession('second'))

  for (const queue of QUEUES) {
    await Promise.all([search(first, queue, mark), search(second, queue, mark)])
    if (queue === 'deposits') {
      // Both have the same one before them, and confirm it in the same moment.
      for (const page of [first, second]) {
        await openAtEnd(page, 'last')
        await readyToConfirm(page)
      }
      await Promise.all([first.keyboard.press('Enter'), second.keyboard.press('Enter')])
      await expect(outcomeIn(first)).toBeVisible()
      await expect(outcomeIn(second)).toBeVisible()
      const words = await Promise.all([first, second].map((page) => page.getByRole('dialog').textContent()))
      expect(words.filter((text) => /Nothing was done|Already decided/.test(text ?? ''))).toHaveLength(1)
      await search(first, queue, mark)
    } else await openAtEnd(second, 'last')
    // One goes down, the other one up, until they have met.
    await openAtEnd(first, 'first')
    await Promise.all([workOff(first, queue, 'down'), workOff(second, queue, 'up')])
  }

  const { token } = operatorSession('first')
  for (const queue of QUEUES) {
    const left = await ask('GET', `/operator/${queue}?status=${waitingOf(queue)}&query=${mark}`, { token })
    expect(left, queue).toEqual([])
  }
  const lines = await Promise.all(
    ids.map((id) => ask<AuditEntry[]>('GET', `/operator/audit-log?subject=${id}`, { token })),
  )
  const decided = lines.map((about) => about.filter(({ action }) => DECISIONS.includes(action)))
  expect(
    decided.map(({ length }) => length),
    'one line of the audit log each',
  ).toEqual(ids.map(() => 1))
  const refused = decided.flat().filter(({ action }) => action === 'deposit.rejected')
  expect(refused).toHaveLength(payers.length)
  expect(new Set(decided.flat().map(({ actor }) => actor)).size, 'both have worked').toBe(2)
  expect(await ask('GET', '/operator/ledger/trial-balance', { token })).toMatchObject({ balanced: true })
  const credited = ANNOUNCED.slice(0, -1).reduce((sum, amount) => sum + amount, PAID_BEFORE)
  for (const { session, asked } of payers) {
    const figures = await ask('GET', '/users/user-info', { token: session.token })
    expect(figures).toMatchObject({ deposits: credited, pendingDeposits: 0, available: credited - asked })
  }
})
