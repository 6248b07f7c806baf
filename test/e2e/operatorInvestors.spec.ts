import { callApi } from './support/http.ts'
import { fileDeposit, investorId, newInvestor, operatorSession } from './support/people.ts'
import { expect, test } from './support/test.ts'

const HOSTILE =
  '<p onclick="alert(1)">Please <b>call</b> us</p><script>alert(1)</script><img src=x onerror=alert(1)><a href="javascript:alert(1)">x</a>'

test('an operator finds an investor by reference, adds a note, sends a notification and freezes the account', async ({
  open,
}) => {
  const name = 'Philippa Wolfeschlegelsteinhausenbergerdorff'
  const { session } = await newInvestor({ name, available: 120 })
  await fileDeposit(session.token, 70)
  const [{ ref = '' } = {}] = await callApi<{ ref: string }[]>('GET', '/transaction-history', {
    token: session.token,
  })
  const operator = await open(operatorSession('first'))
  await operator.goto('/operator/investors')

  await test.step('a reference finds its investor', async () => {
    const field = operator.getByRole('searchbox', { name: 'Find investors' })
    await field.fill(ref.toLowerCase())
    await field.press('Enter')
    await expect(operator.getByRole('row').filter({ hasText: name })).toBeVisible()
    await expect(operator.getByRole('row')).toHaveCount(2)
    await expect(operator).toHaveURL(new RegExp(`query=${ref}`, 'i'))
    await operator.getByRole('link', { name }).click()
  })

  const file = operator.getByRole('article')
  await test.step('the report to tax authorities says whom it leaves out', async () => {
    await operator.goBack()
    await operator.getByRole('button', { name: 'Report to tax authorities' }).click()
    const dialog = operator.getByRole('dialog', { name: 'Report to tax authorities' })
    await dialog.getByLabel('Year').fill(String(new Date().getUTCFullYear()))
    await expect(dialog.getByText(/^Left out, because data is missing: [1-9]/)).toBeVisible()
    await dialog.getByLabel('Company').fill('Sample Company')
    await dialog.getByLabel('City').fill('Berlin')
    await dialog.getByLabel('Country').fill('Germany')
    await dialog.getByLabel('Tax number').fill('1')
    const saving = operator.waitForEvent('download')
    await dialog.getByRole('button', { name: 'Download the report' }).click()
    expect((await saving).suggestedFilename()).toMatch(/-carf-\d{4}\.xml$/)
    await operator.getByRole('link', { name }).click()
  })
  await test.step('a figure links to its entries, and an entry to its request', async () => {
    await expect(file.getByRole('heading', { name })).toBeVisible()
    await file.getByRole('link', { name: 'what deposits is made of' }).click()
    await expect(file.getByRole('tab', { name: 'Ledger' })).toHaveAttribute('aria-selected', 'true')
    await expect(file.getByRole('row').filter({ hasText: 'Deposit credited' })).toContainText('$120.00')
    await expect(file.getByRole('radio', { name: 'Paid in' })).toBeChecked()
    const saving = operator.waitForEvent('download')
    await file.getByRole('button', { name: 'Save all as CSV' }).click()
    expect((await saving).suggestedFilename()).toMatch(/^entries-.+\.csv$/)
    await file.getByRole('tab', { name: 'Requests' }).click()
    await expect(file.getByRole('link', { name: ref, exact: true })).toHaveAttribute(
      'href',
      /\/operator\/deposits\?/,
    )
  })

  await test.step('a note is shown as it was written', async () => {
    await file.getByRole('tab', { name: 'Notes' }).click()
    await expect(file.getByText('There are no notes yet.')).toBeVisible()
    await file.getByRole('textbox', { name: 'Note' }).fill(`Rang about ${ref}.\n${HOSTILE}`)
    // Another tab of the file keeps what was typed.
    await file.getByRole('tab', { name: 'Summary' }).click()
    await file.getByRole('tab', { name: 'Notes' }).click()
    await expect(file.getByRole('textbox', { name: 'Note' })).toHaveValue(`Rang about ${ref}.\n${HOSTILE}`)
    await file.getByRole('button', { name: 'Add the note' }).click()
    await expect(file.getByRole('list', { name: 'Notes' })).toContainText(HOSTILE)
    await expect(file.getByRole('textbox', { name: 'Note' })).toHaveValue('')
  })

  await test.step('the preview shows what the investor sees, and runs no script', async () => {
    await file.getByRole('tab', { name: 'Notifications' }).click()
    await file.getByRole('button', { name: 'Write a notification' }).click()
    await file.getByRole('textbox', { name: 'Title' }).fill('About your deposit')
    await file.getByRole('textbox', { name: 'Content' }).fill(HOSTILE)
    const preview = file.getByRole('region', { name: 'Preview' })
    await expect(preview.getByText('Please call us')).toBeVisible()
    const shown = await preview.locator('.prose').innerHTML()
    expect(shown).not.toMatch(/onclick|script|img|javascript/i)
    await file.getByRole('button', { name: 'Review', exact: true }).click()
    await expect(file.getByText('sees this until they press Okay')).toBeVisible()
    await file.getByRole('button', { name: 'Show the notification' }).click()
    await expect(file.getByText(`${name} sees the notification on the overview.`)).toBeVisible()
    const investor = await open(session)
    await investor.goto('/dashboard/overview')
    const dialog = investor.getByRole('dialog', { name: 'About your deposit' })
    expect(await dialog.locator('.prose').innerHTML()).toBe(shown)
  })

  await test.step('the sessions are listed, ended, and the account is frozen', async () => {
    await file.getByRole('tab', { name: 'Sessions' }).click()
    await expect(file.getByText('Live')).not.toHaveCount(0)
    await file.getByRole('tab', { name: 'Summary' }).click()
    await file.getByRole('button', { name: 'End all sessions' }).click()
    await file.getByRole('button', { name: 'End all sessions' }).click()
    await expect(file.getByText('All sessions have ended.')).toBeVisible()
    await file.getByRole('button', { name: 'Freeze the account' }).click()
    await file.getByRole('textbox', { name: 'Internal note' }).fill('They asked for it.')
    await file.getByRole('button', { name: 'Freeze the account' }).click()
    await expect(file.getByText(`The account is frozen. ${name} has been told.`)).toBeVisible()
    await file.getByRole('tab', { name: 'Sessions' }).click()
    await expect(file.getByText('Live')).toHaveCount(0)
    await file.getByRole('link', { name: 'All investors' }).click()
    await operator.getByRole('radio', { name: 'Frozen' }).check()
    const row = operator.getByRole('row').filter({ hasText: name })
    await expect(row).toContainText('Frozen')
    await expect(row).toContainText('High')
    await operator.getByRole('checkbox', { name: `Select ${name}` }).check()
    const saving = operator.waitForEvent('download')
    await operator
      .getByRole('region', { name: 'Selected investors' })
      .getByRole('button', { name: 'Export' })
      .click()
    expect((await saving).suggestedFilename()).toMatch(/^investors-.+\.csv$/)
  })
})

test('an auditor reads an investor’s page and cannot change anything', async ({ open }) => {
  const { email } = await newInvestor({ available: 5 })
  const page = await open(operatorSession('auditor'))
  await page.goto(`/operator/investors?open=${await investorId(email)}`)
  const file = page.getByRole('article')
  await expect(file.getByText(/Needs the role of reviewer or administrator/)).toBeVisible()
  await expect(file.getByRole('button', { name: 'Freeze the account' })).toHaveCount(0)
  await file.getByRole('tab', { name: 'Notes' }).click()
  await expect(file.getByText('There are no notes yet.')).toBeVisible()
  await expect(file.getByRole('textbox')).toHaveCount(0)
})
