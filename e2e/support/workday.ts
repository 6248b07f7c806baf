import { expect, type Locator, type Page } from '@playwright/test'
import { ask } from './http.ts'
import { codeIn, mailTo } from './mailbox.ts'
import { fileDeposit, type Investor, newInvestor, newReference, operatorSession } from './people.ts'
import { BITCOIN_ADDRESS } from './screens.ts'

export const QUEUES = ['deposits', 'withdrawals', 'kyc', 'messages'] as const
export type Queue = (typeof QUEUES)[number]

/** What begins each queue's decision. */
const POSITIVE: Record<Queue, RegExp> = {
  deposits: /^Credit it/,
  withdrawals: /^Approve it/,
  kyc: /^Approve it/,
  messages: /^Close it/,
}

/** USD that each of those who pay had before, and what they announce then: the last one is refused. */
export const PAID_BEFORE = 500
export const ANNOUNCED = [100, 100, 100, 100, 13]
const REFUSED = '$13.00'

export interface Waiting {
  /** Of everything that is to be decided. */
  ids: string[]
  payers: Payer[]
}

interface Payer extends Investor {
  /** USD of all withdrawals that they ask for. */
  asked: number
}

const WITHDRAWN = 10

/** Fills the queues through the API: 20 deposits, 10 withdrawals, 8 documents and 12 messages, all found by the same word. */
export async function fillQueues(mark: string): Promise<Waiting> {
  const { token } = operatorSession('first')
  const [payers] = await Promise.all([
    Promise.all([1, 2, 3, 4].map((n) => newInvestor({ name: `${mark} Payer ${n}`, available: PAID_BEFORE }))),
    Promise.all(numbers(8).map((n) => newInvestor({ name: `${mark} Newcomer ${n}`, kyc: 'pending' }))),
    ...numbers(12).map((n) =>
      ask('POST', '/contact-us', {
        json: {
          name: `${mark} Asker ${n}`,
          email: `asker${n}@example.com`,
          message: 'How long does it take?',
        },
      }),
    ),
  ])
  await Promise.all(
    payers.map(async ({ email, session }, index) => {
      for (const amount of ANNOUNCED) await fileDeposit(session.token, amount)
      if (hasAsked(index)) await askForFive(session.token, email)
    }),
  )
  const ids = await Promise.all(
    QUEUES.map((queue) =>
      ask<{ _id: string }[]>('GET', `/operator/${queue}?status=${waitingOf(queue)}&query=${mark}`, { token }),
    ),
  )
  return {
    ids: ids.flat().map(({ _id }) => _id),
    payers: payers.map((payer, index) => ({ ...payer, asked: hasAsked(index) ? 5 * WITHDRAWN : 0 })),
  }
}

/** Two of the four ask for their money, five times each. */
function hasAsked(index: number): boolean {
  return index < 2
}

/** The status of what waits in a queue. */
export function waitingOf(queue: Queue): string {
  return queue === 'messages' ? 'open' : 'pending'
}

/** Opens a queue with only what is found by a word in it. */
export async function search(page: Page, queue: Queue, mark: string): Promise<void> {
  await page.goto(`/operator/${queue}`)
  await expect(page.locator('[data-row]').first()).toBeVisible()
  await page.keyboard.press('/')
  await expect(page.getByRole('searchbox')).toBeFocused()
  await page.keyboard.insertText(mark)
  await page.keyboard.press('Enter')
  await expect(page.locator('tbody tr').filter({ hasNotText: mark })).toHaveCount(0)
  await expect(page.locator('[data-row]').first()).toBeVisible()
}

/** Opens the first row, or the last one. */
export async function openAtEnd(page: Page, end: 'first' | 'last'): Promise<void> {
  await page.keyboard.press(end === 'first' ? 'j' : 'k')
  await page.keyboard.press('o')
  await expect(page.getByRole('dialog')).toBeVisible()
}

/** From the open case up to the button that sends its decision, which has the focus then; or to the news that somebody else has decided it. */
export async function readyToConfirm(page: Page): Promise<void> {
  const dialog = page.getByRole('dialog')
  const form = dialog.locator('form')
  const shown = (part: Locator) => expect(part.or(outcomeIn(page)).first()).toBeVisible()
  await shown(dialog.locator('[aria-keyshortcuts=a]'))
  const isRefused = (await dialog.getByText(REFUSED).count()) > 0
  await page.keyboard.press(isRefused ? 'r' : 'a')
  await shown(form)
  if (isRefused) await page.keyboard.press('ArrowDown')
  else if ((await form.getByRole('textbox').count()) > 0) await page.keyboard.insertText(newReference())
  // From the fields to the summary. Where there are none the summary has the focus, and Enter does nothing.
  await page.keyboard.press('Enter')
  await shown(form.locator('[tabindex="-1"]:focus'))
  await page.keyboard.press('Tab')
  await shown(form.locator('[type=submit]:focus'))
}

/** What a decision led to, whosever it was. */
export function outcomeIn(page: Page): Locator {
  return page.getByRole('dialog').getByRole('button', { name: 'Close', exact: true }).nth(1)
}

/** Works a queue off from what is open: downwards to whatever waits next, or upwards row by row. */
export async function workOff(page: Page, queue: Queue, way: 'down' | 'up'): Promise<void> {
  const dialog = page.getByRole('dialog')
  const positive = dialog.getByRole('button', { name: POSITIVE[queue] })
  const decided = dialog.getByText(/^(?:Decided|Approved|Closed) by$/)
  const next = dialog.getByRole('button', { name: 'Next in the queue' })
  for (;;) {
    await expect(positive.or(outcomeIn(page)).or(decided).first()).toBeVisible()
    if (await positive.isVisible()) {
      await readyToConfirm(page)
      if (await outcomeIn(page).isHidden()) await page.keyboard.press('Enter')
      await expect(outcomeIn(page)).toBeVisible()
    }
    if (way === 'down' && !(await next.isVisible())) return
    const before = await openId(page)
    await page.keyboard.press(way === 'down' ? 'n' : 'k')
    // Another case stands there as soon as the key was pressed.
    if ((await openId(page)) === before) return
  }
}

/** The address as it is, and not as it was last reported. */
function openId(page: Page): Promise<string | null> {
  return page.evaluate(() => new URLSearchParams(location.search).get('open'))
}

// The first one is to a new destination, and proven by a code; the others to one that is known.
async function askForFive(token: string, email: string): Promise<void> {
  const json = { amount: String(WITHDRAWN), type: 'bitcoin', network: 'btc', address: BITCOIN_ADDRESS }
  await ask('POST', '/withdrawals', { token, json }).catch(async () => {
    const code = codeIn(await mailTo(email, /confirm/i))
    await ask('POST', '/withdrawals', { token, json: { ...json, code } })
  })
  for (let more = 0; more < 4; more++) await ask('POST', '/withdrawals', { token, json })
}

function numbers(count: number): number[] {
  return Array.from({ length: count }, (_, index) => index + 1)
}
