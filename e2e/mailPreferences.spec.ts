import type { Preferences } from '../src/contract/identity/preferences.ts'
import { callApi } from './support/http.ts'
import { linkIn, waitForMail } from './support/mailbox.ts'
import { createSession, newInvestor, PASSWORD } from './support/people.ts'
import { expect, test } from './support/test.ts'

test('an investor who chose mails about new browsers gets them, and turns them off with the link in one', async ({
  page,
}) => {
  const { email, session } = await newInvestor({ kyc: 'none' })
  const { token } = session
  await callApi('PATCH', '/users/preferences', { token, json: { emails: { newBrowserSignIn: true } } })
  await createSession({ email, password: PASSWORD })
  const link = linkIn(await waitForMail(email, /new browser/), '/unsubscribe')
  const isOn = async () =>
    (await callApi<Preferences>('GET', '/users/preferences', { token })).emails.newBrowserSignIn

  await page.goto(link.pathname + link.search)
  // Opening the link must not turn anything off.
  expect(await isOn()).toBe(true)
  await page.getByRole('button', { name: 'Turn these mails off' }).click()
  await expect(page.getByText('You no longer get mails about sign-ins from a new browser')).toBeVisible()
  await expect(page).toHaveURL('/unsubscribe')
  expect(await isOn()).toBe(false)
  await expect(page.getByRole('link', { name: 'See all my preferences' })).toHaveAttribute(
    'href',
    '/dashboard/profile#notifications',
  )
})
