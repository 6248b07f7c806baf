import { codeIn, linkIn, waitForMail } from './support/mailbox.ts'
import { newInvestor, operatorSession, PASSWORD, turnOnSecondFactor } from './support/people.ts'
import { fillSignIn, valueFor, waitForScripts } from './support/screens.ts'
import { expect, test } from './support/test.ts'

test('an investor asks for the removal of a lost second factor, two reviewers approve it, and a mailed link stops it', async ({
  page,
  open,
}) => {
  const { name, email, session } = await newInvestor({ name: 'Lotta Lost' })
  await turnOnSecondFactor(session)

  await page.goto('/sign-in')
  await fillSignIn(page, email)
  await page.getByRole('link', { name: 'Lost your second factor and the recovery codes?' }).click()
  await expect(page).toHaveURL('/recover-second-factor')
  await waitForScripts(page)
  await page.getByRole('textbox', { name: 'Email' }).fill(email)
  await page.getByRole('textbox', { name: 'Password' }).fill(PASSWORD)
  await page.getByRole('button', { name: 'Mail Me a Code' }).click()
  const field = page.getByRole('textbox', { name: 'Code from the mail' })
  const code = codeIn(await waitForMail(email, /^Your code to recover/))
  await field.fill(code === '000000' ? '000001' : '000000')
  await page.getByRole('button', { name: 'Send Request' }).click()
  await expect(page.getByText('That code is wrong, was used already or has expired.')).toBeVisible()
  await field.fill(code)
  await page.getByRole('button', { name: 'Send Request' }).click()
  await expect(page.getByText('We received your request')).toBeVisible()

  const first = await open(operatorSession('first'))
  await first.goto('/operator/lost-factors')
  await first.getByRole('table', { name: 'Open requests' }).getByRole('button', { name }).click()
  const opened = first.getByRole('dialog', { name: 'Lost second factor' })
  await expect(first).toHaveTitle(/Lost second factor, .*Lotta Lost/)
  const [risk, fact] = [opened.getByRole('region', { name: 'Risk' }), valueFor(opened, 'Second factors')]
  await expect(fact).toHaveText('Authenticator app')
  const [riskBox, factBox] = [await risk.boundingBox(), await fact.boundingBox()]
  expect(riskBox?.y).toBeLessThan(factBox?.y ?? 0)
  await expect(opened.getByRole('button', { name: 'Ask the investor' })).toHaveAttribute(
    'aria-keyshortcuts',
    'q',
  )
  await expect(opened.getByRole('link', { name: /^KYC-/ })).toBeVisible()
  await expect(opened.getByText('Open the document to propose the removal.')).toBeVisible()
  await opened.getByRole('button', { name: 'Open document' }).click()
  await opened.getByRole('button', { name: 'Propose the removal' }).click()
  await opened.getByRole('textbox', { name: 'How the identity was checked' }).fill('Video call')
  await opened.getByRole('button', { name: 'Review' }).click()
  await opened.getByRole('button', { name: 'Propose the removal' }).click()
  await expect(
    opened.getByText('Nothing changes until another reviewer has checked the identity and approved it.'),
  ).toBeVisible()

  const second = await open(operatorSession('second'))
  await second.goto('/operator/lost-factors')
  await second.getByRole('table', { name: 'Open requests' }).getByRole('button', { name }).click()
  const proposal = second.getByRole('dialog', { name: 'Lost second factor' })
  await expect(proposal.getByRole('link', { name: /^KYC-/ })).toBeVisible()
  await expect(proposal.getByRole('link', { name: 'See the proposal' })).toBeVisible()
  await expect(proposal.getByText('Open the document to approve the removal.')).toBeVisible()
  await proposal.getByRole('button', { name: 'Open document' }).click()
  await proposal.getByRole('button', { name: 'Approve removal of second factor' }).click()
  await proposal.getByRole('textbox', { name: 'How you checked the identity yourself' }).fill('A call')
  await expect(proposal.getByText(/compare the investor with the identity document yourself/)).toBeVisible()
  await proposal.getByRole('button', { name: 'Approve removal of second factor' }).click()
  await expect(second.getByRole('dialog').getByText('The 72 hours have begun.')).toBeVisible()

  await first.goto('/operator/lost-factors?status=approved')
  await expect(
    first.getByRole('table', { name: 'Approved requests' }).getByRole('button', { name }),
  ).toBeVisible()

  const link = linkIn(await waitForMail(email, /will be removed in three days/), '/stop-factor-recovery')
  await page.goto(link.pathname + link.search)
  await page.getByRole('button', { name: 'Stop it' }).click()
  await expect(page.getByText('The request is stopped')).toBeVisible()
  await expect(page).toHaveURL('/stop-factor-recovery')
  await waitForMail(email, /^Your second factor was not removed/)
})
