import { callApi } from './support/http.ts'
import { linkIn, waitForMail } from './support/mailbox.ts'
import { createSession, newAddress, newInvestor, PASSWORD } from './support/people.ts'
import { expect, test } from './support/test.ts'

test('a new e-mail address must be confirmed from both mailboxes', async ({ page }) => {
  const { email, session } = await newInvestor({ kyc: 'none' })
  const newEmail = newAddress()
  await callApi('POST', '/users/email', {
    token: session.token,
    json: { email: newEmail, password: PASSWORD },
  })
  const button = page.getByRole('button', { name: 'Confirm the change' })

  for (const [mailbox, words] of [
    [newEmail, 'as soon as the other mailbox confirms it'],
    [email, 'Your e-mail address was changed'],
  ] as const) {
    const link = linkIn(await waitForMail(mailbox, /^Confirm the change/), '/confirm-email')
    await page.goto(link.pathname + link.search)
    // Opening a link must not confirm anything.
    await createSession({ email, password: PASSWORD })
    await button.click()
    await expect(page.getByText(words)).toBeVisible()
    await expect(button).toBeHidden()
    await expect(page).toHaveURL('/confirm-email')
  }
  await createSession({ email: newEmail, password: PASSWORD })
})
