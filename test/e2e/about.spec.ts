import { expect, test } from './support/test.ts'

const OFFICES = ['Lisbon, Portugal', 'Montevideo, Uruguay', 'Singapore']

test('About Us links to sign-up from its header and to sign-in from the section on devices', async ({
  page,
}) => {
  await page.goto('/about-us')
  await expect(page.getByRole('heading', { level: 1, name: 'About Us' })).toBeVisible()
  const links = page.getByRole('main').getByRole('link', { name: 'Start Trading' })
  await expect(links).toHaveCount(2)
  await expect(links.first()).toHaveAttribute('href', '/sign-up')
  const devices = page.getByRole('region', { name: 'On Any Device' })
  await expect(devices.getByRole('link', { name: 'Start Trading' })).toHaveAttribute('href', '/sign-in')
  await expect(devices.getByText('You could lose all the money you invest')).toBeVisible()
})

test('the map marks every place in its list', async ({ page }) => {
  await page.goto('/about-us')
  const section = page.getByRole('region', { name: 'World locations' })
  await section.scrollIntoViewIfNeeded()
  for (const part of ['above', 'below', 'meridians'])
    await expect
      .poll(() => section.locator(`use.${part}`).evaluate(widthOf), { message: part })
      .toBeGreaterThan(300)
  const marks = section.locator('svg text')
  await expect(marks).toHaveText(OFFICES.map((_, index) => String(index + 1)))
  await expect(section.getByRole('listitem')).toHaveCount(OFFICES.length)
})

test('without scripts About Us shows all its content, marks offices as samples and offers no subscription', async ({
  open,
}) => {
  const page = await open(null, { javaScriptEnabled: false })
  await page.goto('/about-us')
  for (const name of [
    'Our mission',
    'Who we are',
    'What we offer',
    'Our values',
    'World locations',
    'On Any Device',
    'Newsletter',
  ])
    await expect(page.getByRole('heading', { level: 2, name })).toBeVisible()
  const places = page.getByRole('region', { name: 'World locations' }).getByRole('listitem')
  for (const [index, place] of OFFICES.entries()) {
    await expect(places.nth(index)).toContainText(place)
    await expect(places.nth(index).getByText('Sample office')).toBeVisible()
  }
  await expect(page.getByText('not provided yet', { exact: true })).toBeVisible()
  await expect(page.getByRole('textbox', { name: 'Email' })).toBeHidden()
  // Not found by text, because `getByText` skips noscript elements even when they are visible.
  const notice = page.locator('newsletter-form noscript > *')
  await expect(notice).toBeVisible()
  await expect(notice).toContainText('Subscribing here needs JavaScript')
})

// Runs in the page.
function widthOf(element: Element): number {
  return element.getBoundingClientRect().width
}
