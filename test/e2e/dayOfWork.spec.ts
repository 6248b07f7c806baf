import type { AuditEntry } from '../../src/contract/console/audit.ts'
import { test } from './support/busyServer.ts'
import { callApi } from './support/http.ts'
import { newReference, PASSWORD, type Session } from './support/people.ts'
import { fillQuantity, fillRiskReason } from './support/screens.ts'
import { Steps } from './support/steps.ts'
import { expect } from './support/test.ts'
import {
  decideAll,
  decidedOrNext,
  fillDecision,
  openCaseAt,
  openId,
  openQueue,
  openStatus,
  QUEUES,
  type Queue,
  SKIPPED,
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

test('everyday tasks take few clicks and keys', async ({ busy, open }) => {
  test.setTimeout(180_000)
  const first = await open(busy.first)
  const second = await open(busy.second)
  const steps = {
    deposit: new Steps(first),
    identity: new Steps(first),
    payout: new Steps(first),
    message: new Steps(first),
    freeze: new Steps(first),
    'freeze by keyboard': new Steps(first),
    setting: new Steps(first),
  }
  const row = (page: typeof first, text: string) =>
    page.locator('tbody tr').filter({ hasText: text }).getByRole('button').first()
  const dialog = first.getByRole('dialog')
  const form = dialog.locator('form')
  const outcome = (text: string) => first.getByRole('status').filter({ hasText: text })

  await test.step('credit a deposit', async () => {
    await openQueue(first, 'deposits')
    await steps.deposit.click(row(first, 'jan.vzorek@'))
    await steps.deposit.click(dialog.getByRole('button', { name: 'Use the investor’s transaction id' }))
    await fillQuantity(dialog, 2200)
    await steps.deposit.click(form.getByRole('button', { name: 'Credit $2,200.00' }))
    await expect(outcome('Jan Vzorek: Credited')).toBeVisible()
  })

  await test.step('credit a deposit of high risk by two people', async () => {
    for (const [page, button] of [
      [first, 'Propose credit of $400.00'],
      [second, 'Approve and credit $400.00'],
    ] as const) {
      await openQueue(page, 'deposits')
      await row(page, 'beto.ejemplo@').click()
      const opened = page.getByRole('dialog')
      const credit = opened.locator('form')
      const reason = credit.getByRole('textbox', { name: 'Why you go on despite the high risk' })
      await opened.getByRole('button', { name: 'Use the investor’s transaction id' }).click()
      await fillQuantity(opened, 400)
      await reason.fill('ok')
      await credit.getByRole('button', { name: button }).click()
      await expect(credit.getByText('in at least 20 characters').first()).toBeVisible()
      await expect(reason).toHaveValue('ok')
      await fillRiskReason(credit)
      if (page === first) await expect(credit.getByText('Its risk is high.')).toBeVisible()
      await credit.getByRole('button', { name: button }).click()
    }
    await expect(second.getByText(/\$400\.00 was credited|Beto Ejemplo: Credited/).first()).toBeVisible()
  })

  await test.step('approve an identity', async () => {
    await openQueue(first, 'kyc')
    await steps.identity.click(row(first, 'wim.staal@'))
    await steps.identity.click(dialog.getByRole('button', { name: 'Open document' }))
    await form.getByRole('textbox', { name: 'Name on the document' }).fill('Wim Staal')
    await form.getByRole('textbox', { name: 'Number of the document' }).fill('SAMPLE-1')
    await form.getByLabel('Date of birth').fill('1990-05-01')
    await form.getByLabel('Expires on').fill('2035-05-01')
    for (const check of await form.getByRole('checkbox').all()) await steps.identity.click(check)
    await steps.identity.click(form.getByRole('button', { name: 'Approve identity of Wim Staal' }))
    await expect(outcome('Wim Staal: Approved')).toBeVisible()
  })

  await test.step('pay a withdrawal by two people', async () => {
    await openQueue(first, 'withdrawals')
    await steps.payout.click(row(first, '$95.00'))
    await fillRiskReason(form)
    await steps.payout.click(form.getByRole('button', { name: 'Approve payout of $95.00' }))
    await expect(outcome('Chiara Esempio: Approved')).toBeVisible()
    await second.goto('/operator/withdrawals?status=approved')
    await steps.payout.click(row(second, '$95.00'))
    const payment = second.getByRole('dialog').locator('form')
    await payment.getByRole('textbox', { name: 'Transaction id on the network' }).fill(newReference())
    await payment.getByRole('textbox', { name: 'Quantity sent' }).fill('95')
    await fillRiskReason(payment)
    await steps.payout.click(payment.getByRole('button', { name: 'Record payment of $95.00' }))
    await expect(
      second
        .getByRole('dialog')
        .getByText(/Chiara Esempio/)
        .first(),
    ).toBeVisible()
  })

  await test.step('answer a message', async () => {
    await openQueue(first, 'messages')
    await steps.message.click(row(first, 'Vito Visitor'))
    await form.getByRole('textbox', { name: 'Reply' }).fill('You register on our site. It costs nothing.')
    await steps.message.click(form.getByRole('button', { name: 'Preview' }))
    await steps.message.click(form.getByRole('button', { name: 'Send the reply' }))
    await expect(outcome('Vito Visitor: ')).toBeVisible()
  })

  await test.step('freeze an account', async () => {
    await first.goto('/operator/investors')
    await steps.freeze.click(first.getByRole('link', { name: 'Olga Priklad' }))
    await steps.freeze.click(first.getByRole('button', { name: 'Freeze the account' }))
    await first.getByRole('textbox', { name: 'Internal note' }).fill('A letter of the police.')
    await steps.freeze.click(first.getByRole('button', { name: 'Freeze the account' }))
    await expect(first.getByText('The account is frozen.')).toBeVisible()
  })

  await test.step('freeze an account by keyboard', async () => {
    const counted = steps['freeze by keyboard']
    await first.goto('/operator/investors')
    await expect(first.getByRole('link', { name: 'Piet Specimen' })).toBeVisible()
    await counted.press('/')
    await first.keyboard.insertText('piet.specimen@busy.example')
    await expect(first.getByRole('listitem').filter({ hasText: 'piet.specimen@' }).first()).toBeVisible()
    await counted.press('ArrowDown')
    await counted.press('Enter')
    await expect(first.getByRole('button', { name: 'Freeze the account' })).toBeEnabled()
    await counted.press('f')
    // Chooses the first reason.
    await counted.press('ArrowDown')
    await counted.press('Enter')
    await counted.reach(first.getByRole('button', { name: 'Freeze the account', exact: true }))
    await counted.press('Enter')
    await expect(first.getByText('The account is frozen.')).toBeVisible()
  })

  await test.step('change a setting by two people', async () => {
    await first.goto('/operator/settings')
    await steps.setting.click(first.getByRole('button', { name: 'Change smallest deposit' }))
    await dialog.getByRole('textbox', { name: 'Smallest deposit' }).fill('2')
    await dialog.getByRole('textbox', { name: 'Reason' }).fill('Small ones cost more than they bring.')
    await steps.setting.click(dialog.getByRole('button', { name: 'Review the change' }))
    await steps.setting.click(dialog.getByRole('button', { name: 'Propose the change' }))
    await expect(first.getByText('Sample Operator proposed $2.00')).toBeVisible()
    await second.goto('/operator/proposals')
    await steps.setting.click(second.locator('tbody tr').last().getByRole('button').first())
    const proposal = second.getByRole('dialog')
    await steps.setting.click(proposal.getByRole('button', { name: /^Approve/ }))
    await steps.setting.click(proposal.locator('form').getByRole('button', { name: /^Approve/ }))
    await expect(proposal.getByText(/The new values apply from now on/)).toBeVisible()
  })

  for (const [task, { count }] of Object.entries(steps))
    expect(count, task).toBeLessThanOrEqual(MOST_STEPS[task as keyof typeof MOST_STEPS])
})

/** The most clicks and keys of each task, besides typed text and the codes of second factors. */
const MOST_STEPS = {
  deposit: 3,
  identity: 6,
  payout: 4,
  message: 3,
  freeze: 3,
  'freeze by keyboard': 8,
  setting: 6,
}

/** The queues that are worked to their end. */
const ENDED: readonly Queue[] = ['deposits', 'withdrawals']

test('two operators decide a busy day by keyboard alone, and nothing twice', async ({ busy, open }) => {
  // Takes half a minute on two idle cores, and four times that on busy ones.
  test.setTimeout(240_000)
  const read = <Answer>(path: string, { token }: Pick<Session, 'token'> = busy.first) =>
    callApi<Answer>('GET', path, { token, server: busy.server })
  const listOpen = async (queue: Queue) => {
    const rows = await read<{ _id: string; email?: string; investor?: { email: string } }[]>(
      `/operator/${queue}?status=${openStatus(queue)}`,
    )
    return rows.filter(({ email, investor }) => !SKIPPED[queue].test(investor?.email ?? email ?? ''))
  }
  const cases = (await Promise.all(QUEUES.map(listOpen))).flat()
  const ended = (await Promise.all(ENDED.map(listOpen))).flat().map(({ _id }) => _id)
  const first = await open(busy.first)
  const second = await open(busy.second)

  for (const queue of QUEUES) {
    await Promise.all([openQueue(first, queue), openQueue(second, queue)])
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
      await openQueue(first, queue)
    } else await openCaseAt(second, 'last')
    // One goes down the queue and the other up, until they meet.
    await openCaseAt(first, 'first')
    const most = ENDED.includes(queue) ? undefined : 3
    await Promise.all([decideAll(first, queue, 'down', most), decideAll(second, queue, 'up', most)])
    if (most === undefined)
      expect(
        (await listOpen(queue)).map(({ _id }) => _id),
        queue,
      ).toEqual([])
  }

  const lines = await Promise.all(
    cases.map(({ _id }) => read<AuditEntry[]>(`/operator/audit-log?subject=${_id}`)),
  )
  const decided = lines.map((about) => about.filter(({ action }) => DECISIONS.includes(action)))
  // Every case of the queues that were worked to their end, and some of each other one.
  expect(decided.map(({ length }) => length).filter((length) => length > 1)).toEqual([])
  const ids = decided.flat().map(({ subject }) => subject)
  expect(ended.filter((id) => !ids.includes(id))).toEqual([])
  expect(ids.length).toBeGreaterThanOrEqual(ended.length + 4)
  expect(decided.flat().filter(({ action }) => action === 'deposit.rejected')).toHaveLength(1)
  expect(new Set(decided.flat().map(({ actor }) => actor)).size, 'operators who decided').toBe(2)
  expect(await read('/operator/ledger/trial-balance')).toMatchObject({ balanced: true })
  const anna = await callApi<Session>('POST', '/auth/login', {
    server: busy.server,
    json: { email: 'anna.muster@busy.example', password: PASSWORD },
  })
  // Credited before and now: 5,000, 250 and 1,000. Paid or held: 500, 200 and 60.
  expect(await read('/users/user-info', anna)).toMatchObject({
    deposits: 6_250,
    pendingDeposits: 0,
    available: 5_490,
  })
})
