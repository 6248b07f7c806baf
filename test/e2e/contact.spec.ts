import { randomUUID } from 'node:crypto'
import type { Locator, Page } from '@playwright/test'
import { callApi, holdRequests } from './support/http.ts'
import { newAddress, operatorSession } from './support/people.ts'
import { waitForScripts } from './support/screens.ts'
import { expect, test } from './support/test.ts'

const MESSAGES = '**/api/v1/contact-us'

test('operators receive a message unchanged, and its receipt stays on the page', async ({ page }) => {
  const email = newAddress()
  const text = `Where is DEP-7QX2M4PA?\n\n<b>It was</b> sent on Monday. 🙂 ${randomUUID()}`
  await page.clock.install()
  await openForm(page)
  await write(page, { name: 'Ana Torres', email, message: text })
  await page.getByRole('button', { name: 'Send message' }).click()

  const receipt = page.getByRole('status').filter({ hasText: 'Thank you for your message.' })
  await expect(receipt).toContainText(email)
  await expect(receipt.locator('xpath=..')).toBeFocused()
  await expect(page.getByRole('button', { name: 'Send message' })).toHaveCount(0)

  const { token } = operatorSession('first')
  const messages = await callApi<{ email: string; name: string; message: string; status: string }[]>(
    'GET',
    '/operator/messages',
    { token },
  )
  expect(messages.find((each) => each.email === email)).toMatchObject({
    name: 'Ana Torres',
    message: text,
    status: 'open',
  })

  // The receipt is not a toast: it stays until the user starts another message.
  await page.clock.runFor(60_000)
  await expect(receipt).toBeVisible()
  await page.getByRole('button', { name: 'Write another message' }).click()
  await expect(field(page, 'Message')).toBeFocused()
  await expect(field(page, 'Message')).toHaveValue('')
  await expect(field(page, 'Name')).toHaveValue('Ana Torres')
  await expect(field(page, 'Email')).toHaveValue(email)
})

test('missing fields are reported beside them, and the first gets the focus', async ({ page }) => {
  await openForm(page)
  await page.getByRole('button', { name: 'Send message' }).click()
  await expect(field(page, 'Name')).toHaveAccessibleDescription('Name is required')
  await expect(field(page, 'Email')).toHaveAccessibleDescription(/^Email is required/)
  await expect(field(page, 'Message')).toHaveAccessibleDescription(/^Message is required/)
  await expect(field(page, 'Name')).toBeFocused()

  await write(page, { name: 'Ana', email: 'ana@', message: 'Hello' })
  await page.getByRole('button', { name: 'Send message' }).click()
  await expect(field(page, 'Email')).toHaveAccessibleDescription(/^Provide a valid email/)
  await expect(field(page, 'Email')).toBeFocused()
})

test('a message that is too long says by how much, and keeps its text', async ({ page }) => {
  await openForm(page)
  await expect(field(page, 'Message')).toHaveAccessibleDescription('Up to 5,000 characters.')
  await write(page, { name: 'Ana', email: 'ana@example.com', message: 'x'.repeat(5012) })
  await expect(field(page, 'Message')).toHaveAccessibleDescription('5,012 characters: 12 too many.')
  await page.getByRole('button', { name: 'Send message' }).click()
  await expect(field(page, 'Message')).toHaveAccessibleDescription(/^Please use at most 5000 characters/)
  await expect(field(page, 'Message')).toHaveValue('x'.repeat(5012))
})

test('a message that could not be sent stays with the reason, and can be sent again', async ({
  page,
  allowFault,
}) => {
  allowFault(/ERR_INTERNET_DISCONNECTED|The message was not sent: 0 network_failure/)
  const logged: string[] = []
  page.on('console', (message) => logged.push(message.text()))
  await openForm(page)
  const email = newAddress()
  await write(page, { name: 'Ana', email, message: 'Is anybody there?' })
  await page.context().setOffline(true)
  await page.getByRole('button', { name: 'Send message' }).click()

  const notice = page.getByRole('alert')
  await expect(notice).toContainText('Your message was not sent. We could not reach the server.')
  await expect(notice).toContainText('What you wrote is still here.')
  await expect(notice.locator('xpath=..')).toBeFocused()
  await expect(field(page, 'Message')).toHaveValue('Is anybody there?')
  expect(logged).toContain('The message was not sent: 0 network_failure')

  await page.context().setOffline(false)
  await page.getByRole('button', { name: 'Send message' }).click()
  await expect(page.getByRole('status').filter({ hasText: 'Thank you' })).toContainText(email)
})

test('a sender of too many messages is told when to try again', async ({ page, allowFault }) => {
  allowFault(/The message was not sent: 429 too_many_requests/)
  await page.route(MESSAGES, (route) =>
    route.fulfill({
      status: 429,
      json: { msg: 'Too many tries. Please try again in 45 minutes.', code: 'too_many_requests' },
    }),
  )
  await openForm(page)
  await write(page, { name: 'Ana', email: 'ana@example.com', message: 'Hello' })
  await page.getByRole('button', { name: 'Send message' }).click()
  await expect(page.getByRole('alert')).toContainText('Please try again in 45 minutes.')
  await expect(field(page, 'Message')).toHaveValue('Hello')
})

test('a server error about a field is shown beside it', async ({ page, allowFault }) => {
  allowFault(/The message was not sent: 422 validation_failed/)
  await page.route(MESSAGES, (route) =>
    route.fulfill({
      status: 422,
      json: {
        msg: 'Provide a valid email',
        code: 'validation_failed',
        fields: { email: 'Provide a valid email' },
      },
    }),
  )
  await openForm(page)
  await write(page, { name: 'Ana', email: 'ana@example.com', message: 'Hello' })
  await page.getByRole('button', { name: 'Send message' }).click()
  await expect(field(page, 'Email')).toHaveAccessibleDescription(/^Provide a valid email/)
  await expect(page.getByRole('alert')).toHaveCount(0)
})

test('while a message is sent the button is busy, and sends it once', async ({ page }) => {
  const answer = Promise.withResolvers<void>()
  let count = 0
  await page.route(MESSAGES, async (route) => {
    count += 1
    await answer.promise
    await route.fulfill({ status: 201, json: { msg: 'Thank you.' } })
  })
  await openForm(page)
  await write(page, { name: 'Ana', email: 'ana@example.com', message: 'Hello' })
  const button = page.getByRole('button', { name: 'Send message' })
  await button.click()
  await expect(button).toHaveAttribute('aria-busy', 'true')
  await button.click({ force: true })
  await field(page, 'Name').press('Enter')
  answer.resolve()
  await expect(page.getByRole('status').filter({ hasText: 'Thank you.' })).toBeVisible()
  expect(count).toBe(1)
})

test('the form is filled in and sent by keyboard alone, with fields that a browser can complete', async ({
  page,
}) => {
  await openForm(page)
  await expect(field(page, 'Name')).toHaveAttribute('autocomplete', 'name')
  await expect(field(page, 'Email')).toHaveAttribute('autocomplete', 'email')
  await expect(field(page, 'Email')).toHaveAttribute('type', 'email')
  await field(page, 'Name').focus()
  await page.keyboard.type('Ana')
  await page.keyboard.press('Tab')
  await expect(field(page, 'Email')).toBeFocused()
  await page.keyboard.type('ana@example.com')
  await page.keyboard.press('Tab')
  await expect(field(page, 'Message')).toBeFocused()
  await page.keyboard.type('One line')
  await page.keyboard.press('Enter')
  await page.keyboard.type('and another')
  await expect(field(page, 'Message')).toHaveValue('One line\nand another')
  await page.keyboard.press('Tab')
  await expect(page.getByRole('button', { name: 'Send message' })).toBeFocused()
  await page.keyboard.press('Shift+Tab')
  await page.keyboard.press('Shift+Tab')
  await page.keyboard.press('Enter')
  await expect(page.getByRole('status').filter({ hasText: 'Thank you' })).toContainText('ana@example.com')
})

test('text typed before the script loads is kept and sent', async ({ page }) => {
  const releaseScripts = await holdRequests(page, '**/_astro/*.js')
  await page.goto('/contact-us', { waitUntil: 'commit' })
  const email = newAddress()
  await write(page, { name: 'Early Ana', email, message: 'Typed before' })
  await expect(page.getByRole('button', { name: 'Send message' })).toBeDisabled()
  await field(page, 'Email').press('Enter')
  await expect(page).toHaveURL('/contact-us')
  releaseScripts()
  await waitForScripts(page)
  await expect(page.getByRole('button', { name: 'Send message' })).toBeEnabled()
  await expect(field(page, 'Message')).toHaveValue('Typed before')
  await page.getByRole('button', { name: 'Send message' }).click()
  await expect(page.getByRole('status').filter({ hasText: 'Thank you' })).toContainText(email)
})

test('the form’s script loads only once the form is in view', async ({ page }) => {
  await page.setViewportSize({ width: 1280, height: 200 })
  const requested: string[] = []
  page.on('request', (request) => requested.push(request.url()))
  await page.goto('/contact-us', { waitUntil: 'networkidle' })
  expect(requested.filter((url) => url.includes('ContactForm'))).toEqual([])
  await field(page, 'Name').scrollIntoViewIfNeeded()
  await waitForScripts(page)
  expect(requested.filter((url) => url.includes('ContactForm'))).not.toEqual([])
})

async function openForm(page: Page): Promise<void> {
  await page.goto('/contact-us')
  await field(page, 'Name').scrollIntoViewIfNeeded()
  await waitForScripts(page)
}

function field(page: Page, label: 'Name' | 'Email' | 'Message'): Locator {
  return page.getByRole('textbox', { name: label, exact: true })
}

async function write(
  page: Page,
  { name, email, message }: { name: string; email: string; message: string },
): Promise<void> {
  await field(page, 'Name').fill(name)
  await field(page, 'Email').fill(email)
  await field(page, 'Message').fill(message)
}
