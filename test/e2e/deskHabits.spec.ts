import { readFile } from 'node:fs/promises'
import { expectAccessible } from './support/accessibility.ts'
import { callApi } from './support/http.ts'
import { fileDeposit, investorId, newInvestor, newReference, operatorSession } from './support/people.ts'
import { expect, test } from './support/test.ts'

test('the next case shows nothing of the previous one, whose outcome stands apart with a link', async ({
  open,
}) => {
  const mark = `Habit${newReference().slice(3, 9)}`
  for (const name of ['Ada', 'Bea', 'Cai']) {
    const { session } = await newInvestor({ name: `${name} ${mark}` })
    await fileDeposit(session.token, 21)
  }
  const page = await open(operatorSession('first'))
  await page.goto(`/operator/deposits?query=${mark}`)
  await page
    .getByRole('row')
    .filter({ hasText: `Ada ${mark}` })
    .getByRole('button')
    .click()
  const dialog = page.getByRole('dialog').first()
  const rejection = dialog.getByRole('combobox', { name: 'Message to the investor' })
  const note = dialog.getByRole('textbox', { name: 'Internal note' })
  await expect(dialog.getByRole('button', { name: 'Reject deposit' })).toBeEnabled()
  await page.keyboard.press('r')
  await rejection.selectOption({ index: 1 })
  await note.fill('Only about Ada.')
  await dialog.getByRole('button', { name: 'Reject the deposit' }).click()

  const previous = dialog.getByRole('status').filter({ hasText: `Ada ${mark}: Rejected` })
  await expect(previous).toBeVisible()
  // The strip stands before the title, and the case itself names the second investor only.
  await expect(dialog.getByRole('term').filter({ hasText: 'Investor' }).first()).toBeVisible()
  const shown = dialog.locator('header ~ *')
  await expect(shown.getByText(`Bea ${mark}`).first()).toBeVisible()
  await expect(shown.getByText('Only about Ada.')).toHaveCount(0)
  await expectAccessible(page)
  await expect(dialog.getByRole('button', { name: 'Reject deposit' })).toBeEnabled()
  await page.keyboard.press('r')
  await expect(rejection).toHaveValue('')
  await expect(note).toHaveValue('')

  // Typed input is discarded only after a question, whatever would replace or close the case.
  await note.fill('About Bea.')
  const question = page.getByRole('dialog', { name: 'Discard what you typed?' })
  for (const leave of [
    () => page.keyboard.press('Escape'),
    () => dialog.getByRole('button', { name: 'Close', exact: true }).click(),
    () => previous.getByRole('link').click(),
  ]) {
    await leave()
    await question.getByRole('button', { name: 'Keep it' }).click()
    await expect(note).toHaveValue('About Bea.')
  }
  await note.press('Escape')
  await page.keyboard.press('Escape')
  await expect(question).toBeHidden()
  await expect(note).toHaveValue('About Bea.')
  await rejection.selectOption({ index: 1 })
  await dialog.getByRole('button', { name: 'Reject the deposit' }).click()
  await expect(dialog.getByRole('status').filter({ hasText: `Bea ${mark}: Rejected` })).toBeVisible()
  await expect(previous).toHaveCount(0)
  await dialog.getByRole('status').getByRole('link').click()
  await expect(shown.getByText(`Bea ${mark}`).first()).toBeVisible()
  await expect(dialog.getByRole('button', { name: 'Reject deposit' })).toHaveCount(0)
  await page.keyboard.press('Escape')
  await expect(page.getByRole('dialog')).toHaveCount(0)
})

test('an account is frozen with a few keys, which the help lists', async ({ open }) => {
  const { email } = await newInvestor({ name: 'Keyed Kim' })
  const page = await open(operatorSession('first'))
  await page.goto(`/operator/investors?open=${await investorId(email)}`)
  await expect(page.getByRole('button', { name: 'Freeze the account' })).toBeEnabled()
  await page.keyboard.press('?')
  await expect(page.getByRole('dialog', { name: 'Keyboard' }).getByText('Freeze the account')).toBeVisible()
  await page.keyboard.press('Escape')
  for (const key of ['f', 'ArrowDown', 'Enter', 'Tab', 'Enter']) {
    await page.keyboard.press(key)
    await page.waitForTimeout(100)
  }
  await expect(page.getByText('The account is frozen. Keyed Kim has been told.')).toBeVisible()
})

test('filters narrow a queue, the address keeps them, and a wrong one is explained', async ({ open }) => {
  const { email, session } = await newInvestor({ name: 'Narrow Nia' })
  await fileDeposit(session.token, 21)
  await fileDeposit(session.token, 77)
  const person = await investorId(email)
  const page = await open(operatorSession('first'))
  await page.goto(`/operator/deposits?person=${person}`)
  const rows = page.getByRole('row').filter({ hasText: email })
  await expect(rows).toHaveCount(2)
  await page.getByRole('button', { name: 'Filters (1)' }).click()
  await page.getByRole('textbox', { name: 'At least, USD' }).fill('50')
  await page.getByRole('combobox', { name: 'Country' }).selectOption('Switzerland')
  await page.getByRole('button', { name: 'Show', exact: true }).click()
  await expect(rows).toHaveCount(1)
  await expect(rows).toContainText('$77.00')
  await expectAccessible(page)
  await page.reload()
  await expect(page).toHaveURL(`/operator/deposits?person=${person}&amountFrom=50&country=CH`)
  await expect(rows).toHaveCount(1)
  await page.goto('/operator/deposits?amountFrom=many')
  await expect(page.getByText('amountFrom is an amount in USD, like 250 or 99.95')).toBeVisible()
  await page.getByRole('button', { name: 'Filters (1)' }).click()
  await page.getByRole('button', { name: 'Clear', exact: true }).click()
  await expect(page.getByRole('row').nth(1)).toBeVisible()
})

test('several messages are selected by key, assigned and closed together', async ({ open }) => {
  const mark = `Bulk${newReference().slice(3, 9)}`
  for (const name of ['Ann', 'Bob', 'Cat'])
    await callApi('POST', '/contact-us', {
      json: { name: `${name} ${mark}`, email: 'bulk@example.com', message: 'How long does it take?' },
    })
  const page = await open(operatorSession('first'))
  await page.goto(`/operator/messages?query=${mark}`)
  await expect(page.getByRole('row').filter({ hasText: mark })).toHaveCount(3)
  await page.keyboard.press('j')
  await page.keyboard.press('x')
  await page.keyboard.press('j')
  await page.keyboard.press('x')
  await page.keyboard.press('x')
  await page.getByRole('checkbox', { name: new RegExp(`^Select .*Bob ${mark}`) }).check()
  const bar = page.getByRole('region', { name: 'Selected messages' })
  await expect(bar.getByText('2 selected')).toBeVisible()
  await bar.getByRole('button', { name: 'Assign to me' }).click()
  await expect(page.getByText(/^Assigned to you/)).toHaveCount(2)
  await expectAccessible(page)
  for (const name of ['Ann', 'Bob'])
    await page.getByRole('checkbox', { name: new RegExp(`^Select .*${name} ${mark}`) }).check()
  const saving = page.waitForEvent('download')
  await bar.getByRole('button', { name: 'Export', exact: true }).click()
  const rows = (await readFile(await (await saving).path(), 'utf8')).trim().split('\r\n')
  expect(rows).toHaveLength(3)
  await bar.getByRole('button', { name: 'Close messages' }).click()
  await expect(page.getByRole('row').filter({ hasText: mark }).getByText('Closed')).toHaveCount(2)
  await expect(bar).toHaveCount(0)
})
