import { expectAccessible, waitForLoaded } from './support/accessibility.ts'
import { fileDeposit, newInvestor, operatorSession } from './support/people.ts'
import { openCase } from './support/screens.ts'
import { expect, test } from './support/test.ts'

test('an operator takes a case, the other one sees it, and it is given back', async ({ open }) => {
  const { email, session } = await newInvestor({ name: 'Taken Tess' })
  await fileDeposit(session.token, 21)
  const first = await open(operatorSession('first'))
  await first.goto('/operator')
  const opened = await openCase(first, 'Deposits', email)
  await expect(opened.getByText('Not assigned')).toBeVisible()
  await opened.getByRole('button', { name: 'Assign to me' }).click()
  await expect(opened.getByText(/Assigned to you, \d+ min ago/)).toBeVisible()
  await first.keyboard.press('Escape')
  const row = first.getByRole('row').filter({ hasText: email })
  await expect(row.getByText(/Assigned to you, \d+ min ago/)).toBeVisible()
  const whose = first.getByRole('combobox', { name: 'Whose deposits to show' })
  await whose.selectOption('Mine')
  await expect(row).toBeVisible()
  await whose.selectOption('Unassigned')
  await expect(row).toHaveCount(0)
  await first.goto('/operator')
  const mine = first.getByRole('region', { name: 'Assigned to you' })
  // Its link opens the case, and the list behind it is not narrowed.
  await mine.getByRole('link').filter({ hasText: 'Taken Tess' }).click()
  await expect(first.getByRole('dialog', { name: /^Deposit DEP-[0-9A-Z]+, Taken Tess$/ })).toBeVisible()
  await expect(first.getByRole('row').filter({ hasText: email })).toHaveCount(1)
  await first.keyboard.press('Escape')

  // It warns the other operator, who takes it over before they decide.
  const second = await open(operatorSession('second'))
  await second.goto('/operator')
  const seen = await openCase(second, 'Deposits', email)
  await expect(seen.getByText(/Assigned to Sample Operator, \d+ min ago/)).toBeVisible()
  await expect(seen.getByRole('button', { name: 'Assign to me' })).toHaveCount(0)
  await expect(seen.getByRole('button', { name: 'Credit $21.00' })).toHaveCount(0)
  await expectAccessible(second)
  await seen.getByRole('button', { name: 'Take it over' }).click()
  await expect(seen.getByText(/Assigned to you, \d+ min ago/)).toBeVisible()
  await expect(seen.getByRole('button', { name: 'Credit $21.00' })).toBeVisible()
  await seen.getByRole('button', { name: 'Give back' }).click()
  await expect(seen.getByText('Not assigned')).toBeVisible()

  const again = await openCase(first, 'Deposits', email)
  await again.getByRole('button', { name: 'Assign to me' }).click()
  await again.getByRole('button', { name: 'Give back' }).click()
  await expect(again.getByText('Not assigned')).toBeVisible()
  await expectAccessible(second)
  await expectAccessible(first)
})

test('what an operator has typed stays when another one takes the case over', async ({ open }) => {
  const { email, session } = await newInvestor()
  await fileDeposit(session.token, 23)
  const [first, second] = [await open(operatorSession('first')), await open(operatorSession('second'))]
  await first.goto('/operator')
  const mine = await openCase(first, 'Deposits', email)
  const quantity = mine.getByRole('textbox', { name: 'Quantity that arrived' })
  await quantity.fill('0.125')
  await second.goto('/operator')
  const theirs = await openCase(second, 'Deposits', email)
  await theirs.getByRole('button', { name: 'Assign to me' }).click()
  await expect(theirs.getByText(/Assigned to you/)).toBeVisible()
  await first.evaluate(() => document.dispatchEvent(new Event('visibilitychange')))
  await expect(mine.getByRole('button', { name: 'Take it over' })).toBeVisible()
  const credit = mine.getByRole('button', { name: 'Credit $23.00' })
  await expect(credit).toBeDisabled()
  await expect(quantity).toHaveValue('0.125')
  await expectAccessible(first)
  await mine.getByRole('button', { name: 'Take it over' }).click()
  await expect(credit).toBeEnabled()
  await expect(quantity).toHaveValue('0.125')
})

test('an answer from before a case was taken does not show it as it was', async ({ open }) => {
  const { email, session } = await newInvestor()
  await fileDeposit(session.token, 22)
  const page = await open(operatorSession('first'))
  await page.goto('/operator')
  const opened = await openCase(page, 'Deposits', email)
  const answers: (() => Promise<void>)[] = []
  let asked = 0
  await page.route(/\/api\/v1\/operator\/deposits(?:\/|\?|$)/, async (route) => {
    if (route.request().method() !== 'GET' || asked === 2) return route.fallback()
    asked++
    const response = await route.fetch()
    answers.push(() => route.fulfill({ response }))
  })
  // The tab becomes visible again, so the case and its list are loaded again.
  await page.evaluate(() => document.dispatchEvent(new Event('visibilitychange')))
  await expect.poll(() => answers.length).toBe(2)
  await opened.getByRole('button', { name: 'Assign to me' }).click()
  await expect(opened.getByText(/Assigned to you, \d+ min ago/)).toBeVisible()
  for (const answer of answers) await answer()
  await page.waitForLoadState('networkidle')
  await expect(opened.getByText(/Assigned to you, \d+ min ago/)).toBeVisible()
  await opened.getByRole('button', { name: 'Give back' }).click()
  await expect(opened.getByText('Not assigned')).toBeVisible()
})

test('the quantity that arrived is compared with the announced amount while it is typed', async ({
  open,
}) => {
  const { email, session } = await newInvestor({ name: 'Quentin Short' })
  await fileDeposit(session.token, 100)
  const operator = await open(operatorSession('first'))
  await operator.goto('/operator')
  const opened = await openCase(operator, 'Deposits', email)
  await expect(opened.getByText('Announced: $100.00.')).toBeVisible()
  const quantity = opened.getByRole('textbox', { name: 'Quantity that arrived' })
  await quantity.fill('1')
  const words = opened.getByText(/^1 [A-Z]+ at \$/)
  const price = Number(/at \$([\d,.]+\d)/.exec(await words.innerText())?.[1]?.replaceAll(',', ''))
  await expect(words).toContainText('more than announced ($100.00)')
  await expect(opened.getByText('Unusual quantity')).toBeVisible()
  await quantity.fill((98.2 / price).toFixed(12))
  await expect(opened.getByText('1.8% less than announced ($100.00)')).toBeVisible()
  // It is worth less than what would be credited, until the credit is as small.
  await expect(opened.getByText('Unusual quantity')).toBeVisible()
  await opened.getByRole('textbox', { name: 'Amount that arrived' }).fill('98.20')
  await expect(opened.getByText('Unusual quantity')).toHaveCount(0)
  await expect(opened.getByText('Announced: $100.00. This is 1.8% less than announced.')).toBeVisible()
  await expect(opened.getByText('the same as the credit of $98.20')).toBeVisible()
})

test('the keyboard help lists the keys of the page that it is on', async ({ open }) => {
  const page = await open(operatorSession('first'))
  for (const [path, groups] of [
    ['/operator/deposits', ['In the list', 'In an open case', 'On every page']],
    ['/operator', ['In the list', 'On every page']],
    ['/operator/settings', ['On every page']],
  ] as const) {
    await page.goto(path)
    await expect(page.getByRole('searchbox', { name: 'Search people, references and amounts' })).toBeVisible()
    // A list has its keys once it is there.
    await waitForLoaded(page)
    const help = page.getByRole('dialog', { name: 'Keyboard' })
    await expect(async () => {
      await page.keyboard.press('?')
      await expect(help).toBeVisible({ timeout: 500 })
    }).toPass()
    await expect(help.getByRole('heading', { level: 3 })).toHaveText([...groups])
  }
})
