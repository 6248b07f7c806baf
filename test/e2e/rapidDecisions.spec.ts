import { callApi } from './support/http.ts'
import { codeIn, waitForMail } from './support/mailbox.ts'
import { type Investor, newInvestor, newReference, operatorSession } from './support/people.ts'
import { BITCOIN_ADDRESS, confirmWithCode, fillRiskReason, openCase } from './support/screens.ts'
import { expect, test } from './support/test.ts'

test.describe('while the pointer rests', () => {
  test.use({ pointerRests: true })

  test('six rapid clicks and a held key approve one payout, and the next case says which', async ({
    open,
  }) => {
    test.setTimeout(180_000)
    const mark = `Rapid${newReference().slice(3, 9)}`
    const investors = await Promise.all(
      ['Daniel Whitfield', 'Mina Osei', 'Paul Reyes'].map((name) =>
        newInvestor({ name: `${name} ${mark}`, available: 100 }),
      ),
    )
    const filed: string[] = []
    for (const investor of investors) filed.push(await fileWithdrawal(investor))
    const { token } = operatorSession('first')
    const approved = async () => {
      const rows = await callApi<{ _id: string }[]>(
        'GET',
        `/operator/withdrawals?status=approved&query=${mark}`,
        { token },
      )
      return rows.length
    }
    const page = await open(operatorSession('first'))
    await page.goto(`/operator/withdrawals?query=${mark}`)
    await page.getByRole('row').filter({ hasText: 'Daniel Whitfield' }).getByRole('button').click()
    const dialog = page.getByRole('dialog')
    const button = dialog.getByRole('button', { name: 'Approve payout of $10.00' })
    await expect(button).toBeDisabled()
    await expect(button).toBeEnabled()
    await fillRiskReason(dialog)
    await button.scrollIntoViewIfNeeded()
    const box = await button.boundingBox()
    if (box === null) throw new Error('The button has no box.')
    const [x, y] = [box.x + box.width / 2, box.y + box.height / 2]
    await page.mouse.move(x, y)
    for (let click = 0; click < 6; click++) {
      await page.mouse.down()
      await page.mouse.up()
      await page.waitForTimeout(150)
    }
    const previous = dialog
      .getByRole('status')
      .filter({ hasText: new RegExp(`^Previous case, \\S+, Daniel Whitfield ${mark}: Approved`) })
    await expect(previous).toBeVisible()
    await expect(dialog.getByText(`Mina Osei ${mark}`).first()).toBeVisible()
    await fillRiskReason(dialog)
    expect(await approved()).toBe(1)

    // Time alone does not make the button work, and neither does a key that is held down.
    await page.waitForTimeout(2000)
    await page.mouse.down()
    await page.mouse.up()
    await button.focus()
    await page.evaluate(() => {
      for (let repeats = 0; repeats < 5; repeats++)
        document.activeElement?.dispatchEvent(
          new KeyboardEvent('keydown', { key: 'Enter', bubbles: true, repeat: true }),
        )
    })
    await expect(button).toBeEnabled()
    expect(await approved()).toBe(1)

    // Typing the reason may have moved the button below the resting pointer.
    await page.mouse.move(1, 1)
    await button.hover()
    await page.mouse.down()
    await page.mouse.up()
    await expect(
      dialog
        .getByRole('status')
        .filter({ hasText: new RegExp(`^Previous case, \\S+, Mina Osei ${mark}: Approved`) }),
    ).toBeVisible()
    expect(await approved()).toBe(2)

    // Keys: the case can be decided at once neither by shortcut nor by Enter. Before it has loaded, Tab leads to the investor.
    await expect(button).toBeDisabled()
    await page.keyboard.press('a')
    await page.keyboard.press('Tab')
    await page.keyboard.press('Enter')
    await expect(button).toBeDisabled()
    expect(await approved()).toBe(2)
    await expect(button).toBeEnabled()
    await fillRiskReason(dialog)
    await button.focus()
    await page.keyboard.press('Enter')
    await expect(dialog.getByText('Paul Reyes').first()).toBeVisible()
    await expect.poll(approved).toBe(3)
  })
})

test('an old session confirms once before it opens a document or saves an export', async ({ open }) => {
  test.setTimeout(180_000)
  const { email } = await newInvestor({ name: 'Petra Passport', kyc: 'pending' })
  const operator = await open(operatorSession('second'))
  await operator.goto('/operator')
  const opened = await openCase(operator, 'KYC', email)
  let isFresh = false
  let asked = 0
  // Answers as the server does once the factor is too old, until it was renewed.
  await operator.route(/\/api\/v1\/operator\/kyc(?:\/[^/]+\/document|\?.*format=csv)/, (route) => {
    if (isFresh) return route.fallback()
    asked++
    return route.fulfill({
      status: 403,
      json: {
        msg: 'Please confirm with your second factor: it has been a while since you showed it.',
        code: 'step_up_required',
        reasons: ['fresh_factor'],
        methods: ['totp'],
      },
    })
  })
  operator.on('response', (response) => {
    if (response.url().endsWith('/auth/confirm') && response.status() === 204) isFresh = true
  })
  await opened.getByRole('button', { name: 'Open document' }).click()
  await confirmWithCode(operator, 'That it is still you')
  await expect(opened.getByRole('img')).toBeVisible()
  await operator.keyboard.press('Escape')
  const saving = operator.waitForEvent('download')
  await operator.getByRole('button', { name: 'Export as CSV' }).click()
  await saving
  expect(asked).toBe(1)
})

async function fileWithdrawal({ session, email }: Investor): Promise<string> {
  const json = { amount: '10', type: 'bitcoin', network: 'btc', address: BITCOIN_ADDRESS }
  const { token } = session
  await callApi('POST', '/withdrawals', { token, json }).catch(() => null)
  const code = codeIn(await waitForMail(email, /confirm/i))
  return (await callApi<{ _id: string }>('POST', '/withdrawals', { token, json: { ...json, code } }))._id
}
