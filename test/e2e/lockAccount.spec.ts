import { callApi } from './support/http.ts'
import { linkIn, mailsTo, waitForMail } from './support/mailbox.ts'
import { createSession, newInvestor, PASSWORD } from './support/people.ts'
import { expect, test } from './support/test.ts'

const NEW_PASSWORD = 'ein Kahn im Hafen'

test('an investor locks the account with the link of a security mail, and opening the link alone does not', async ({
  page,
}) => {
  const { email, session } = await newInvestor({ kyc: 'none' })
  const json = { currentPassword: PASSWORD, newPassword: NEW_PASSWORD }
  await callApi('PATCH', '/users/user-info', { token: session.token, json })
  const link = linkIn(await waitForMail(email, /^Your password was changed/), '/lock-account')

  await page.goto(link.pathname + link.search)
  // Opening the link must not lock the account.
  await expect(page.getByRole('button', { name: 'Lock my account' })).toBeVisible()
  await callApi('GET', '/users/user-info', { token: session.token })
  expect((await mailsTo(email)).filter(({ subject }) => /locked/.test(subject))).toEqual([])

  await page.getByRole('button', { name: 'Lock my account' }).click()
  await expect(page.getByText('Your account is locked')).toBeVisible()
  await expect(page.getByRole('button', { name: 'Lock my account' })).toBeHidden()
  // The token must not stay in the browser history.
  await expect(page).toHaveURL('/lock-account')
  await waitForMail(email, /^Your account is locked/)
  await page.getByRole('link', { name: 'choose a new password' }).click()
  await expect(page).toHaveURL('/forgot-password')

  // Nobody can sign in until the lock is lifted, also not with the right password.
  await expect(createSession({ email, password: NEW_PASSWORD })).rejects.toThrow('account_locked')
})
