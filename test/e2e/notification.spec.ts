import type { Page } from '@playwright/test'
import { expectAccessible } from './support/accessibility.ts'
import { callApi } from './support/http.ts'
import { MARKUP } from './support/payloads.ts'
import { type Investor, investorId, newInvestor, operatorSession } from './support/people.ts'
import { expect, test } from './support/test.ts'

test('a notification is shown with its lists and links until it is dismissed', async ({ open }) => {
  const ana = await newInvestor({ kyc: 'none' })
  await notify(ana, {
    content: '<p>New <strong>terms</strong></p><ul><li><a href="/fees">Read</a></li></ul>',
  })
  const page = await open(ana.session)
  await page.goto('/dashboard/overview')
  const dialog = page.getByRole('dialog', { name: 'From support' })
  await expect(dialog.getByRole('link', { name: 'Read' })).toHaveAttribute('href', '/fees')
  await expect(dialog.locator('strong')).toHaveText('terms')
  const seen = page.waitForResponse((response) => response.request().method() === 'PATCH')
  await dialog.getByRole('button', { name: 'Okay' }).click()
  await expect(dialog).toBeHidden()
  expect((await seen).status()).toBe(200)
  await reload(page)
  await expect(dialog).toBeHidden()
})

test('a long notification scrolls, is accessible, and returns if it could not be dismissed', async ({
  open,
  allowFault,
}) => {
  allowFault(/status of 500/)
  const ana = await newInvestor({ kyc: 'none' })
  await notify(ana, { content: `<h3>What changes</h3>${'<p>A paragraph of many words.</p>'.repeat(80)}` })
  const page = await open(ana.session, { viewport: { width: 390, height: 640 } })
  await page.route('**/users/user-info', (route) =>
    route.request().method() === 'PATCH'
      ? route.fulfill({ status: 500, json: { msg: 'Something went wrong.', code: 'internal' } })
      : route.continue(),
  )
  await page.goto('/dashboard/overview')
  const dialog = page.getByRole('dialog', { name: 'From support' })
  await expect(dialog.getByRole('heading', { name: 'From support' })).toBeInViewport()
  const [height, room] = await dialog.evaluate((element) => [element.scrollHeight, element.clientHeight])
  expect(height).toBeGreaterThan(Number(room))
  await expectAccessible(page)
  const refused = page.waitForResponse((response) => response.request().method() === 'PATCH')
  await dialog.getByRole('button', { name: 'Okay' }).click()
  await expect(dialog).toBeHidden()
  // The script that sends it may load late. Sent after `unroute`, it would not fail.
  await refused
  await page.unroute('**/users/user-info')
  await reload(page)
  await expect(dialog).toBeVisible()
})

test('the bell counts new notifications and leads to all of them', async ({ open }) => {
  const ana = await newInvestor({ kyc: 'none' })
  await notify(ana, { content: '<p>The first</p>' })
  await notify(ana, { content: '<p>The second, with <a href="/fees">fees</a></p>' })
  const page = await open(ana.session)
  await page.goto('/dashboard/deposit')
  await page.getByRole('link', { name: 'Notifications, 3 new' }).click()
  await expect(page).toHaveURL('/dashboard/notifications')
  const items = page.getByRole('main').getByRole('article')
  await expect(items).toHaveText([
    /New.*The second/,
    /New.*The first/,
    // The bell says what was mailed too.
    /A sign-in from somewhere new.*New/,
  ])
  await expect(items.getByRole('link', { name: 'fees' })).toHaveAttribute('href', '/fees')
  await expectAccessible(page)
  // They are seen now, so neither the bell nor the overview shows them again.
  await page.reload()
  await expect(items).toHaveCount(3)
  await expect(items.getByText('New', { exact: true })).toHaveCount(0)
  await page.goto('/dashboard/overview', { waitUntil: 'networkidle' })
  await expect(page.getByRole('link', { name: 'Notifications', exact: true })).toBeVisible()
  await expect(page.getByRole('dialog')).toHaveCount(0)
})

test('a persistent notification appears on each visit', async ({ open }) => {
  const ana = await newInvestor({ kyc: 'none' })
  await notify(ana, { content: '<p>Please write to us.</p>', persistent: true })
  const page = await open(ana.session)
  await page.goto('/dashboard/overview')
  const dialog = page.getByRole('dialog', { name: 'From support' })
  for (let visit = 0; visit < 2; visit++) {
    await expect(dialog).toBeVisible()
    await page.keyboard.press('Escape')
    await expect(dialog).toBeHidden()
    await reload(page)
  }
  await expect(dialog).toBeVisible()
})

test('even an unsanitised notification runs no script and shows only allowed elements', async ({
  open,
  allowFault,
}) => {
  // The policy also applies to HTML that is only parsed, and reports each blocked handler.
  allowFault(/Executing inline event handler|policy: script-src-attr inline/)
  const ana = await newInvestor({ kyc: 'none' })
  const page = await open(ana.session)
  let ran = 0
  await page.exposeFunction('alert', () => {
    ran += 1
  })
  await page.route('**/users/user-info?fields=*', async (route) => {
    const response = await route.fetch()
    const notification = { title: 'From support', content: MARKUP.join('\n'), persistent: true, seen: false }
    await route.fulfill({ response, json: { ...(await response.json()), notification } })
  })
  await page.goto('/dashboard/overview')
  const dialog = page.getByRole('dialog', { name: 'From support' })
  await expect(dialog).toBeVisible()
  const built = await dialog
    .locator('.prose')
    .evaluate((content) =>
      [...content.querySelectorAll('*')].flatMap((element) => [
        element.localName,
        ...[...element.attributes].map(({ name, value }) => `${element.localName} ${name}=${value}`),
      ]),
    )
  const allowed =
    /^(?:p|br|b|strong|i|em|u|ul|ol|li|a|h3|h4|blockquote|code|a rel=noopener noreferrer|a href=(?:https?:\/\/|mailto:|\/(?!\/)).*)$/i
  expect(built.filter((each) => !allowed.test(each))).toEqual([])
  await page.waitForTimeout(500)
  expect(ran).toBe(0)
})

async function notify({ email }: Investor, note: { content: string; persistent?: boolean }): Promise<void> {
  const { token } = operatorSession('first')
  await callApi('POST', `/operator/investors/${await investorId(email)}/notification`, {
    token,
    json: { title: 'From support', persistent: false, ...note },
  })
}

/** Reloads the page and waits for the figures, whose answer contains the notification. */
async function reload(page: Page): Promise<void> {
  const figures = page.waitForResponse(/user-info\?fields=/)
  await page.reload()
  await figures
}
