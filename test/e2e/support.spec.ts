import { site } from '../../src/site.ts'
import { changeSettings } from './support/people.ts'
import { expect, test } from './support/test.ts'

const SUPPORT = site.supportEmail
const NUMBER = '**/api/v1/whatsapp'

test('the messaging number loads and becomes a link to a chat', async ({ page }) => {
  const answer = Promise.withResolvers<void>()
  await page.route(NUMBER, async (route) => {
    await answer.promise
    await route.fulfill({ json: [{ number: '+41791234567' }, { number: '+12025550123' }] })
  })
  await page.goto('/contact-us')
  const place = page.locator('messaging-number')
  await expect(place.getByText('...', { exact: true })).toBeVisible()
  const before = await place.boundingBox()
  answer.resolve()
  const link = place.getByRole('link', { name: '+41 791 234 567' })
  await expect(link).toHaveAttribute('href', 'https://wa.me/41791234567')
  await expect(link).toHaveAttribute('rel', 'noopener')
  await expect(place.getByText('...', { exact: true })).toBeHidden()
  expect(await place.boundingBox()).toEqual(before)
})

test('the number that two administrators set is the one that visitors see, as it was written', async ({
  page,
}) => {
  await changeSettings({ messagingNumber: '+41 79 123 45 67' })
  try {
    await page.goto('/contact-us')
    await expect(page.getByRole('link', { name: '+41 79 123 45 67' })).toHaveAttribute(
      'href',
      'https://wa.me/41791234567',
    )
  } finally {
    await changeSettings({ messagingNumber: null })
  }
})

test('without a messaging number the page says so and shows the e-mail address', async ({ page }) => {
  await page.route(NUMBER, (route) => route.fulfill({ json: [] }))
  await page.goto('/contact-us')
  const place = page.locator('messaging-number')
  await expect(place).toContainText('There is no messaging number yet.')
  await expect(place.getByRole('link')).toHaveAttribute('href', `mailto:${SUPPORT}`)
})

test('a messaging number that failed to load is logged and reported, with the e-mail address', async ({
  page,
  allowFault,
}) => {
  allowFault(/The messaging number was not loaded/)
  for (const fail of [
    (route: { abort: () => Promise<void> }) => route.abort(),
    (route: { fulfill: (answer: object) => Promise<void> }) =>
      route.fulfill({ status: 503, json: { msg: 'Later.', code: 'unavailable' } }),
    (route: { fulfill: (answer: object) => Promise<void> }) => route.fulfill({ body: '<html>' }),
  ]) {
    allowFault(/ERR_FAILED|503/)
    await page.unroute(NUMBER)
    await page.route(NUMBER, fail)
    await page.goto('/contact-us')
    const place = page.locator('messaging-number')
    await expect(place).toContainText('The messaging number could not be loaded.')
    await expect(place.getByRole('link')).toHaveAttribute('href', `mailto:${SUPPORT}`)
  }
})

test('without JavaScript the page shows the other ways to reach support, and no form', async ({ open }) => {
  const page = await open(null, { javaScriptEnabled: false })
  await page.goto('/contact-us')
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Contact Us')
  // Not found by text, because `getByText` skips noscript elements even when they are visible.
  const notice = page.locator('.form noscript > *')
  await expect(notice).toBeVisible()
  await expect(notice).toHaveText(new RegExp(`The form needs JavaScript.*${SUPPORT}`, 's'))
  await expect(page.getByRole('button', { name: 'Send message' })).toBeHidden()
  const number = page.locator('messaging-number noscript > p')
  await expect(number).toBeVisible()
  await expect(number).toContainText('is loaded by JavaScript')
  await expect(page.getByText('...', { exact: true })).toBeHidden()
  await expect(page.getByRole('main').getByRole('link', { name: SUPPORT }).first()).toHaveAttribute(
    'href',
    `mailto:${SUPPORT}`,
  )
})

test('the sentence about 24/7 support is qualified beside it', async ({ page }) => {
  await page.goto('/contact-us')
  const header = page.getByRole('main').locator('header').first()
  await expect(header).toContainText(
    'Find the best ways to get in contact with our customer support team available 24/7.',
  )
  await expect(header).toContainText('The form takes messages at any hour.')
  await expect(header).toContainText(
    'Your account, your records and the strategies’ figures are there day and night, too.',
  )
  await expect(header).toContainText('Hours in which people answer: not provided yet.')
})
