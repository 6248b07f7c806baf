import { expect, type Locator, type Page } from '@playwright/test'
import { callApi } from './http.ts'
import { codeIn, waitForMail } from './mailbox.ts'
import { fileDeposit, type Investor, newInvestor, newReference, operatorSession } from './people.ts'
import { BITCOIN_ADDRESS, fillQuantity } from './screens.ts'

export const QUEUES = ['deposits', 'withdrawals', 'kyc', 'messages'] as const
export type Queue = (typeof QUEUES)[number]

/** The button that starts a positive decision in each queue. */
const POSITIVE: Record<Queue, RegExp> = {
  deposits: /^(?:Credit|Propose credit of) /,
  withdrawals: /^Approve payout of/,
  kyc: /^Approve identity/,
  messages: /^Reply/,
}

/** USD on each depositor's account at first, and the deposits they then request. The last one is rejected. */
export const INITIAL_BALANCE = 500
export const REQUESTED_DEPOSITS = [100, 100, 100, 100, 13]
const REJECTED_AMOUNT = '$13.00'

export interface FilledQueues {
  /** Ids of all cases to decide. */
  ids: string[]
  depositors: Depositor[]
}

interface Depositor extends Investor {
  /** USD of all withdrawals they request. */
  withdrawals: number
}

const WITHDRAWAL = 10

/** Files 20 deposits, 10 withdrawals, 8 documents and 12 messages through the API. A search for `mark` finds exactly these. */
export async function fillQueues(mark: string): Promise<FilledQueues> {
  const { token } = operatorSession('first')
  const [depositors] = await Promise.all([
    Promise.all(
      [1, 2, 3, 4].map((n) => newInvestor({ name: `${mark} Payer ${n}`, available: INITIAL_BALANCE })),
    ),
    Promise.all(numbers(8).map((n) => newInvestor({ name: `${mark} Newcomer ${n}`, kyc: 'pending' }))),
    ...numbers(12).map((n) =>
      callApi('POST', '/contact-us', {
        json: {
          name: `${mark} Asker ${n}`,
          email: `asker${n}@example.com`,
          message: 'How long does it take?',
        },
      }),
    ),
  ])
  await Promise.all(
    depositors.map(async ({ email, session }, index) => {
      for (const amount of REQUESTED_DEPOSITS) await fileDeposit(session.token, amount)
      if (withdraws(index)) await fileFiveWithdrawals(session.token, email)
    }),
  )
  const ids = await Promise.all(
    QUEUES.map((queue) =>
      callApi<{ _id: string }[]>('GET', `/operator/${queue}?status=${openStatus(queue)}&query=${mark}`, {
        token,
      }),
    ),
  )
  return {
    ids: ids.flat().map(({ _id }) => _id),
    depositors: depositors.map((depositor, index) => ({
      ...depositor,
      withdrawals: withdraws(index) ? 5 * WITHDRAWAL : 0,
    })),
  }
}

/** Two of the four depositors withdraw. */
function withdraws(index: number): boolean {
  return index < 2
}

/** The status of undecided cases in a queue. */
export function openStatus(queue: Queue): string {
  return queue === 'messages' ? 'open' : 'pending'
}

/** Opens a queue and searches it for `mark`. */
export async function searchQueue(page: Page, queue: Queue, mark: string): Promise<void> {
  await page.goto(`/operator/${queue}`)
  await expect(page.locator('[data-row]').first()).toBeVisible()
  await page.keyboard.press('f')
  await expect(page.getByRole('searchbox', { name: /^Find/ })).toBeFocused()
  await page.keyboard.insertText(mark)
  await page.keyboard.press('Enter')
  await expect(page.locator('tbody tr').filter({ hasNotText: mark })).toHaveCount(0)
  await expect(page.locator('[data-row]').first()).toBeVisible()
}

/** Opens the first or the last row. */
export async function openCaseAt(page: Page, end: 'first' | 'last'): Promise<void> {
  await page.keyboard.press(end === 'first' ? 'j' : 'k')
  await page.keyboard.press('o')
  await expect(page.getByRole('dialog')).toBeVisible()
}

/**
 * Fills in the decision of the open case and puts the focus on the button that submits it. Stops early if somebody else has
 * decided the case.
 */
export async function fillDecision(page: Page): Promise<void> {
  const dialog = page.getByRole('dialog')
  const form = dialog.locator('form')
  const waitFor = (part: Locator) => expect(part.or(closeButtonOf(page)).first()).toBeVisible()
  await waitFor(dialog.locator('[aria-keyshortcuts=a]'))
  const isRejected = (await dialog.getByText(REJECTED_AMOUNT).count()) > 0
  if (page.url().includes('/operator/kyc')) {
    const opening = dialog.getByRole('button', { name: 'Open document' })
    // The document's part loads after the case, and an identity is not approved before its document was opened.
    await waitFor(opening)
    if (await opening.isVisible()) await opening.click()
  }
  await page.keyboard.press(isRejected ? 'r' : 'a')
  await waitFor(form)
  // A form goes away when the other operator decides the case.
  const act = (doing: Promise<void>) =>
    doing.catch(async (error: unknown) => {
      if (await closeButtonOf(page).isHidden()) throw error
    })
  const reply = form.getByRole('textbox', { name: 'Reply' })
  if (isRejected) await page.keyboard.press('ArrowDown')
  else if (await reply.isVisible()) {
    await act(reply.fill('It usually takes a day.', { timeout: 3000 }))
    // In a letter, Enter starts a new line.
    await act(form.locator('[type=submit]').focus({ timeout: 3000 }))
    await waitUntilReadable(page)
  } else if ((await form.getByRole('checkbox').count()) > 0) {
    await act(
      form.getByRole('textbox', { name: 'Name on the document' }).fill('Sample Newcomer', { timeout: 3000 }),
    )
    await act(
      form
        .getByRole('textbox', { name: 'Number of the document' })
        .fill(newReference().slice(0, 12), { timeout: 3000 }),
    )
    await act(form.getByLabel('Date of birth').fill('1990-05-01', { timeout: 3000 }))
    await act(form.getByLabel('Expires on').fill('2035-05-01', { timeout: 3000 }))
    for (const check of await form.getByRole('checkbox').all())
      await act(check.press('Space', { timeout: 3000 }))
    await act(form.locator('[type=submit]').focus({ timeout: 3000 }))
    return waitUntilReadable(page)
  } else if ((await form.getByRole('textbox').count()) > 0) {
    await fillQuantity(dialog, REQUESTED_DEPOSITS[0] ?? 0)
    await form.getByRole('textbox').first().focus()
    await page.keyboard.insertText(newReference())
  }
  // Goes from the fields to the summary. Without fields the summary has the focus already, and Enter does nothing.
  await page.keyboard.press('Enter')
  await waitFor(form.locator('[tabindex="-1"]:focus'))
  await page.keyboard.press('Tab')
  await waitFor(form.locator('[type=submit]:focus'))
  await waitUntilReadable(page)
}

/** Waits until the buttons of a newly shown case work. */
async function waitUntilReadable(page: Page): Promise<void> {
  const button = page.getByRole('dialog').locator('form [type=submit]:not([aria-disabled])')
  await expect(button.or(closeButtonOf(page)).first()).toBeVisible()
}

/** The button that closes a case once it is decided, by either operator. */
function closeButtonOf(page: Page): Locator {
  return page.getByRole('dialog').getByRole('button', { name: 'Close', exact: true }).nth(1)
}

/** Decides every case of a queue from the open one, down or up. After each decision the next case opens by itself. */
export async function decideAll(page: Page, queue: Queue, direction: 'down' | 'up'): Promise<void> {
  const dialog = page.getByRole('dialog')
  const positive = dialog.getByRole('button', { name: POSITIVE[queue] })
  const decided = dialog.getByText(/^(?:Decided|Approved|Answered|Closed) by$/)
  const next = dialog.getByRole('button', { name: 'Next in the queue' })
  for (;;) {
    await expect(positive.or(closeButtonOf(page)).or(decided).first()).toBeVisible()
    const before = await openId(page)
    if (await positive.isVisible()) {
      // The form goes away when the other operator decides the case meanwhile.
      await fillDecision(page).catch(async (error: unknown) => {
        if (await closeButtonOf(page).isHidden()) throw error
      })
      if (await closeButtonOf(page).isHidden()) await page.keyboard.press('Enter')
      await decidedOrNext(page, before)
      if ((await openId(page)) !== before) continue
    }
    if (direction === 'down' && !(await next.isVisible())) return
    await page.keyboard.press(direction === 'down' ? 'n' : 'k')
    // The key changes the open case at once, unless this was the last row.
    if ((await openId(page)) === before) return
  }
}

/** Waits until the open case was decided: the next one opens, or the last one shows its outcome. */
export async function decidedOrNext(page: Page, before: string | null): Promise<void> {
  await expect(async () => {
    expect((await openId(page)) !== before || (await closeButtonOf(page).isVisible())).toBe(true)
  }).toPass({ timeout: 30_000, intervals: [100] })
}

/** Reads the address in the page, because `page.url()` may lag behind. */
export function openId(page: Page): Promise<string | null> {
  return page.evaluate(() => new URLSearchParams(location.search).get('open'))
}

// The first withdrawal goes to a new destination and needs a code. For the others the destination is known.
async function fileFiveWithdrawals(token: string, email: string): Promise<void> {
  const json = { amount: String(WITHDRAWAL), type: 'bitcoin', network: 'btc', address: BITCOIN_ADDRESS }
  await callApi('POST', '/withdrawals', { token, json }).catch(async () => {
    const code = codeIn(await waitForMail(email, /confirm/i))
    await callApi('POST', '/withdrawals', { token, json: { ...json, code } })
  })
  for (let more = 0; more < 4; more++) await callApi('POST', '/withdrawals', { token, json })
}

function numbers(count: number): number[] {
  return Array.from({ length: count }, (_, index) => index + 1)
}
