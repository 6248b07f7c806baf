import { expect, type Locator, type Page } from '@playwright/test'
import { newReference } from './people.ts'
import { checkDocument, fillQuantity, fillRiskReason, valueFor } from './screens.ts'

export const QUEUES = ['deposits', 'withdrawals', 'kyc', 'messages'] as const
export type Queue = (typeof QUEUES)[number]

/** The button that starts a positive decision in each queue, or goes on from its open form. */
const POSITIVE: Record<Queue, RegExp> = {
  deposits: /^(?:Credit|Propose credit of) /,
  withdrawals: /^Approve payout of/,
  kyc: /^Approve identity/,
  messages: /^Preview$/,
}

/**
 * The people of the busy day whose cases one operator cannot decide: an account is frozen or locked, a hit on the sanctions list is open, the deposits of a day are above the
 * limit of one operator, or the risk of a deposit is high.
 */
export const SKIPPED: Record<Queue, RegExp> = {
  deposits: /^(?:kaisa|liam|elsa|ines|beto|daan)\.\w+@busy\.example$/,
  withdrawals: /^kaisa\.\w+@busy\.example$/,
  kyc: /^yuri\.\w+@busy\.example$/,
  messages: /^nobody$/,
}

/** Whose deposit is rejected, because the payment has not arrived. */
const REJECTED = /^greta\.\w+@busy\.example$/

/** The status of undecided cases in a queue. */
export function openStatus(queue: Queue): string {
  return queue === 'messages' ? 'open' : 'pending'
}

/** Opens a queue and waits for its rows. */
export async function openQueue(page: Page, queue: Queue): Promise<void> {
  await page.goto(`/operator/${queue}`)
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
  const takeOver = findTakeOverButton(page)
  await waitFor(dialog.locator('[aria-keyshortcuts=a]').or(takeOver))
  if (await takeOver.isVisible()) await page.keyboard.press('m')
  await waitFor(dialog.locator('[aria-keyshortcuts=a]'))
  const isRejected =
    page.url().includes('/operator/deposits') && (await dialog.getByText(REJECTED).count()) > 0
  if (page.url().includes('/operator/kyc')) {
    const opening = dialog.getByRole('button', { name: 'Open document' })
    // The document's part loads after the case, and an identity is not approved before its document was opened.
    await waitFor(opening)
    if (await opening.isVisible()) await opening.click()
  }
  const key = isRejected ? 'r' : 'a'
  await waitFor(dialog.locator(`[aria-keyshortcuts=${key}]:not([aria-disabled])`))
  await page.keyboard.press(key)
  await waitFor(form)
  // A form goes away when the other operator decides the case.
  const act = (doing: Promise<void>) =>
    doing.catch(async (error: unknown) => {
      if (await closeButtonOf(page).isHidden()) throw error
    })
  const reply = form.getByRole('textbox', { name: 'Reply' })
  if (!isRejected) await act(fillRiskReason(form))
  if (isRejected) await page.keyboard.press('ArrowDown')
  else if (await reply.isVisible()) {
    await act(reply.fill('It usually takes a day.', { timeout: 3000 }))
    // In a letter, Enter starts a new line.
    await act(form.locator('[type=submit]').focus({ timeout: 3000 }))
    await waitUntilReadable(page)
  } else if ((await form.getByRole('checkbox').count()) > 0) {
    await act(checkDocument(dialog, 'Sample Newcomer'))
    await act(form.locator('[type=submit]').focus({ timeout: 3000 }))
    return waitUntilReadable(page)
  } else if ((await form.getByRole('textbox', { name: 'Amount that arrived' }).count()) > 0) {
    const amount = await form.getByRole('textbox', { name: 'Amount that arrived' }).inputValue()
    await fillQuantity(dialog, Number(amount.replace(/,/g, '')))
    await form.getByRole('textbox').first().focus()
    await page.keyboard.insertText(newReference())
  } else if ((await form.getByRole('textbox').count()) > 0) {
    await act(form.locator('[type=submit]').focus({ timeout: 3000 }))
    return waitUntilReadable(page)
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

/** The button that takes over the case of another operator. */
function findTakeOverButton(page: Page): Locator {
  return page.getByRole('dialog').getByRole('button', { name: 'Take it over' })
}

/** The button that closes a case once it is decided, by either operator. */
function closeButtonOf(page: Page): Locator {
  return page.getByRole('dialog').getByRole('button', { name: 'Close', exact: true }).nth(1)
}

/** Decides the cases of a queue from the open one, down or up, at most so many. After each decision the next case opens by itself. */
export async function decideAll(
  page: Page,
  queue: Queue,
  direction: 'down' | 'up',
  most = Number.POSITIVE_INFINITY,
): Promise<void> {
  const dialog = page.getByRole('dialog')
  const positive = dialog.getByRole('button', { name: POSITIVE[queue] }).or(findTakeOverButton(page)).first()
  const decided = valueFor(dialog, 'Status').filter({
    hasText: /^(?:Approved|Rejected|To be paid|Delayed|Answered|Closed)/,
  })
  const next = dialog.getByRole('button', { name: 'Next in the queue' })
  const skipped = dialog.getByText(SKIPPED[queue]).first()
  for (let decisions = 0; decisions < most; decisions++) {
    await expect(positive.or(closeButtonOf(page)).or(decided).or(skipped).first()).toBeVisible()
    const before = await openId(page)
    const isSkipped = await skipped.isVisible()
    if (!isSkipped && (await positive.isVisible())) {
      // The form goes away when the other operator decides the case meanwhile.
      await fillDecision(page).catch(async (error: unknown) => {
        if (await closeButtonOf(page).isHidden()) throw error
      })
      if (await closeButtonOf(page).isHidden()) await page.keyboard.press('Enter')
      await decidedOrNext(page, before)
      if ((await openId(page)) !== before) continue
    }
    if (direction === 'down' && !isSkipped && !(await next.isVisible())) return
    await page.keyboard.press(direction === 'up' ? 'k' : isSkipped ? 'j' : 'n')
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
