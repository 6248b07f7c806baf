import type { Locator } from '@playwright/test'
import { expectAccessible } from './support/accessibility.ts'
import { fileDeposit, newInvestor, newReference, operatorSession } from './support/people.ts'
import { expect, test } from './support/test.ts'

const PHONE = { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true }
/** The least height of what a finger presses, in CSS pixels. */
const FINGER = 44

test('on a phone a case is decided without scrolling past its background', async ({ open }) => {
  const mark = `Phone${newReference().slice(3, 9)}`
  const { session } = await newInvestor({ name: `Ada ${mark}` })
  await fileDeposit(session.token, 21)
  const page = await open(operatorSession('first'), PHONE)
  await page.goto(`/operator/deposits?query=${mark}`)
  const row = page.getByRole('row').filter({ hasText: `Ada ${mark}` })
  // The box to select a row stands at the end of its first line, and opens no case.
  const box = row.getByRole('checkbox')
  await expect(box).toBeVisible()
  const target = await measure(box.locator('xpath=..'))
  expect(target.height).toBeGreaterThanOrEqual(FINGER)
  expect(target.y + target.height).toBeLessThanOrEqual((await measure(row.getByText('Pending'))).y)
  await box.locator('xpath=..').tap({ position: { x: 4, y: 4 } })
  await expect(page.getByText('1 selected')).toBeVisible()

  await row.getByRole('button').tap()
  const dialog = page.getByRole('dialog')
  const about = dialog.getByRole('region', { name: 'About the investor' })
  await expect(about.getByText(/\$0\.00 available/)).toBeVisible()
  await expect(about.getByRole('term').filter({ hasText: 'Second factor' })).toBeHidden()
  const history = dialog.getByRole('region', { name: 'History' })
  await expect(history.getByText(`Filed by Ada ${mark}`).first()).toBeVisible()
  await expect(history.getByRole('link', { name: 'All its lines in the audit log' })).toBeHidden()
  // A reference does not break after its hyphen.
  const reference = dialog.getByRole('heading', { level: 2 }).getByText(/^DEP-\w+$/)
  expect((await measure(reference)).height).toBeLessThan(FINGER)
  for (const control of await dialog.locator('button:visible, select:visible, summary:visible').all())
    expect((await measure(control)).height, await control.innerText()).toBeGreaterThanOrEqual(FINGER)
  await expectAccessible(page)
  await about.getByText('About the investor').tap()
  await expect(about.getByRole('term').filter({ hasText: 'Second factor' })).toBeVisible()
})

test('a long name pushes no column of a list out of sight', async ({ open }) => {
  const mark = `Long${newReference().slice(3, 9)}`
  const { session } = await newInvestor({ name: `Wolfeschlegelsteinhausenbergerdorff ${mark}` })
  await fileDeposit(session.token, 21)
  const page = await open(operatorSession('first'), { viewport: { width: 1280, height: 900 } })
  await page.goto(`/operator/deposits?query=${mark}`)
  const row = page.getByRole('row').filter({ hasText: mark })
  await expect(row.getByText('Pending')).toBeVisible()
  await expect(page.getByRole('region', { name: /scrolls$/ })).toHaveCount(0)
  // The box to select a row stands before all of its columns.
  const [box, button] = [await measure(row.getByRole('checkbox')), await measure(row.getByRole('button'))]
  expect(box.x + box.width).toBeLessThanOrEqual(button.x)
})

test('a case without a decision leaves no column empty', async ({ open }) => {
  const page = await open(operatorSession('first'), { viewport: { width: 1280, height: 900 } })
  await page.goto('/operator/deposits?status=approved&query=investor@example.com')
  await page.locator('[data-row]').first().click()
  const dialog = page.getByRole('dialog')
  const about = dialog.getByRole('region', { name: 'About the investor' })
  await expect(about.getByText('Total balance')).toBeVisible()
  const [inner, outer] = [await measure(about), await measure(dialog)]
  expect(outer.x + outer.width - inner.x - inner.width).toBeLessThan(60)
})

async function measure(locator: Locator) {
  const box = await locator.boundingBox()
  if (box === null) throw new Error('It is not shown')
  return box
}
