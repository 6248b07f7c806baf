import { fileDeposit, newInvestor } from './scene/people.ts'
import { expect, test } from './scene/test.ts'

test('each figure of the overview opens how it comes about', async ({ open }) => {
  const ana = await newInvestor({ available: 1200 })
  await fileDeposit(ana.session.token, 80)
  const page = await open(ana.session)
  await page.goto('/dashboard/overview')

  await page.getByRole('button', { name: 'How Total Deposits comes about' }).click()
  const deposits = page.getByRole('dialog', { name: 'Total Deposits' })
  await expect(deposits.getByRole('row').filter({ hasText: 'Deposit credited' })).toContainText('+$1,200.00')
  await page.keyboard.press('Escape')
  await expect(page.getByRole('button', { name: 'How Total Deposits comes about' })).toBeFocused()

  await page.getByRole('button', { name: 'How Pending Deposits comes about' }).click()
  const pending = page.getByRole('dialog', { name: 'Pending Deposits' })
  await expect(pending.getByRole('row').filter({ hasText: 'DEP-' })).toContainText('+$80.00')
  await page.keyboard.press('Escape')

  await page.getByRole('button', { name: 'How Total Balance comes about' }).click()
  const total = page.getByRole('dialog', { name: 'Total Balance' })
  await expect(total.getByRole('definition').filter({ hasText: '$1,200.00' })).toHaveCount(4)
  await page.keyboard.press('Escape')

  await page.getByRole('button', { name: 'How Bonus comes about' }).click()
  await expect(
    page.getByRole('dialog', { name: 'Bonus' }).getByText('No entry yet, so it is zero'),
  ).toBeVisible()
})

test('the course of the balance is drawn, read off by day, and stands as a table', async ({ open }) => {
  const ana = await newInvestor({ available: 300 })
  const page = await open(ana.session)
  await page.goto('/dashboard/overview')
  const course = page.getByRole('region', { name: 'Balance over time' })
  await expect(
    course.getByRole('img', { name: /Total balance from \$0\.00 on .+ to \$300\.00 on/ }),
  ).toBeVisible()
  await course.getByRole('img').hover({ position: { x: 5, y: 20 } })
  await expect(course.getByText(/\$0\.00 at the end of/)).toBeVisible()
  await course.getByText('As a table').click()
  await expect(course.getByRole('row')).toHaveCount(3)
  await course.getByRole('radio', { name: 'A year' }).check()
  await expect(course.getByRole('row').last()).toContainText('$0.00')
})
