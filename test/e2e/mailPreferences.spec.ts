import { callApi } from './support/http.ts'
import { mailsTo, waitForMail } from './support/mailbox.ts'
import { createSession, newInvestor, PASSWORD } from './support/people.ts'
import { expect, test } from './support/test.ts'

test('a warning has no link to unsubscribe, and turning such mails off is mailed', async () => {
  const { email, session } = await newInvestor({ kyc: 'none' })
  const choose = (newBrowserSignIn: boolean) =>
    callApi('PATCH', '/users/preferences', {
      token: session.token,
      json: { emails: { newBrowserSignIn } },
    })
  await choose(true)
  await createSession({ email, password: PASSWORD })
  expect((await waitForMail(email, /new browser/)).text).not.toContain('/unsubscribe')
  expect((await mailsTo(email)).filter(({ subject }) => /turned off/.test(subject))).toEqual([])
  await choose(false)
  expect((await waitForMail(email, /^Security warnings were turned off/)).text).toContain('new browser')
})

test('a kind of news is turned off with a button, not by opening the link', async ({ page }) => {
  const sent: string[] = []
  await page.route('**/api/v1/users/preferences/unsubscribe', async (route) => {
    sent.push(String(route.request().postData()))
    await route.fulfill({ json: { msg: 'You no longer get mails with tips.' } })
  })
  await page.goto('/unsubscribe?token=from-a-mail')
  await expect(page.getByRole('button', { name: 'Turn these mails off' })).toBeVisible()
  expect(sent).toEqual([])
  await page.getByRole('button', { name: 'Turn these mails off' }).click()
  await expect(page.getByText('You no longer get mails with tips.')).toBeVisible()
  expect(sent.join('')).toContain('from-a-mail')
  await expect(page).toHaveURL('/unsubscribe')
  await expect(page.getByRole('link', { name: 'See all my preferences' })).toHaveAttribute(
    'href',
    '/dashboard/profile#notifications',
  )
})
