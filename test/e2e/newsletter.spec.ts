import type { Locator, Page } from '@playwright/test'
import { holdRequests } from './support/http.ts'
import { linkIn, mailsTo, waitForMail } from './support/mailbox.ts'
import { newAddress } from './support/people.ts'
import { expect, test } from './support/test.ts'

test('a reader subscribes, confirms from the mailbox, is welcomed, and unsubscribes', async ({ page }) => {
  const email = newAddress()
  await page.goto('/about-us')
  await emailOf(page).fill(email)
  await page.getByRole('button', { name: 'Subscribe' }).click()
  await expect(form(page).getByRole('status')).toContainText('Please check your mailbox')
  await expect(emailOf(page)).toHaveValue('')

  const confirm = linkIn(await waitForMail(email, /^Confirm/), '/newsletter/confirm')
  await page.goto(confirm.pathname + confirm.search)
  // Opening the link must not subscribe.
  expect(await mailsTo(email)).toHaveLength(1)
  await page.getByRole('button', { name: 'Confirm subscription' }).click()
  await expect(page.getByText('You will get the newsletter from now on')).toBeVisible()
  await expect(page.getByRole('button', { name: 'Confirm subscription' })).toBeHidden()
  await expect(page).toHaveURL('/newsletter/confirm')

  const leave = linkIn(await waitForMail(email, /^Your newsletter/), '/newsletter/unsubscribe')
  await page.goto(leave.pathname + leave.search)
  await page.getByRole('button', { name: 'Unsubscribe' }).click()
  await expect(page.getByText('You are unsubscribed')).toBeVisible()
  await expect(page).toHaveURL('/newsletter/unsubscribe')
  await page.getByRole('link', { name: 'Subscribe again' }).click()
  await expect(page).toHaveURL('/about-us#newsletter')
  await expect(emailOf(page)).toBeInViewport()
})

test('a wrong address is reported beside its field and stays', async ({ page }) => {
  await page.goto('/about-us')
  for (const [typed, problem] of [
    ['', 'Email is required'],
    ['nobody', 'Provide a valid email'],
    // Only the server refuses this one.
    ['somebody@-example.com', 'Provide a valid email'],
  ] as const) {
    await emailOf(page).fill(typed)
    await page.getByRole('button', { name: 'Subscribe' }).click()
    await expect(emailOf(page)).toHaveAttribute('aria-invalid', 'true')
    await expect(emailOf(page)).toHaveAccessibleDescription(problem)
    await expect(emailOf(page)).toBeFocused()
    await expect(emailOf(page)).toHaveValue(typed)
  }
})

test('subscribing works by keyboard, and the busy button keeps its size and focus', async ({ page }) => {
  const email = newAddress()
  const release = await holdRequests(page, '**/api/v1/newsletter')
  await page.goto('/about-us')
  const button = page.getByRole('button', { name: 'Subscribe' })
  const width = await widthOf(button)
  await emailOf(page).focus()
  await page.keyboard.type(email)
  await page.keyboard.press('Tab')
  await page.keyboard.press('Enter')
  await expect(button).toHaveAttribute('aria-busy', 'true')
  await page.keyboard.press('Enter')
  await expect(button).toBeFocused()
  expect(await widthOf(button)).toBe(width)
  release()
  await expect(form(page).getByRole('status')).toContainText('Please check your mailbox')
  await expect(button).not.toHaveAttribute('aria-busy')
  await expect(button).toBeFocused()
  await waitForMail(email, /^Confirm/)
  expect(await mailsTo(email)).toHaveLength(1)
})

test('the address survives a lost connection and a refusal, and both are explained', async ({
  page,
  allowFault,
}) => {
  allowFault(/ERR_FAILED/)
  await page.goto('/about-us')
  await emailOf(page).fill('reader@example.com')
  await page.route('**/api/v1/newsletter', (route) => route.abort())
  await page.getByRole('button', { name: 'Subscribe' }).click()
  await expect(form(page).getByText('We could not reach the server')).toBeVisible()
  await expect(emailOf(page)).toHaveValue('reader@example.com')
  await page.unroute('**/api/v1/newsletter')
  const refusal = { msg: 'Too many tries. Please wait a little and try again.', code: 'too_many_requests' }
  await page.route('**/api/v1/newsletter', (route) => route.fulfill({ status: 429, json: refusal }))
  await page.getByRole('button', { name: 'Subscribe' }).click()
  await expect(form(page).getByText(refusal.msg)).toBeVisible()
  await expect(emailOf(page)).toHaveValue('reader@example.com')
  await expect(emailOf(page)).not.toHaveAttribute('aria-invalid')
})

function form(page: Page): Locator {
  return page.getByRole('region', { name: 'Newsletter' })
}

function emailOf(page: Page): Locator {
  return form(page).getByRole('textbox', { name: 'Email' })
}

async function widthOf(button: Locator): Promise<number | undefined> {
  return (await button.boundingBox())?.width
}
