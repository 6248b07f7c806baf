import type { Page } from '@playwright/test'
import { expectAccessible, waitForLoaded } from './support/accessibility.ts'
import { authenticatorCode } from './support/authenticator.ts'
import { callApi } from './support/http.ts'
import { linkIn, waitForMail } from './support/mailbox.ts'
import { MISSING, pages } from './support/pages.ts'
import {
  fileDeposit,
  newAddress,
  newInvestor,
  operatorSession,
  PASSWORD,
  turnOnSecondFactor,
} from './support/people.ts'
import { approveProposal, fillSignIn, waitForScripts } from './support/screens.ts'
import { expect, test } from './support/test.ts'

/** Buttons that decide or change something. */
const DECISIONS =
  /^(?:Credit|Approve|Reject|Record|Complete|Propose|Freeze|Lift|Notify|Close message|Disable|Invite|Withdraw invitation|Assign to me|Give back|Retire|Create your|Change roles|End )/

test('two administrators invite a reviewer, who chooses a password, turns on a second factor and reviews only', async ({
  open,
}) => {
  const [email, name] = [newAddress(), 'Rita Reviewer']
  const first = await open(operatorSession('first'))
  await first.goto('/operator/operators')
  await first.getByRole('button', { name: 'Invite an operator' }).click()
  const inviting = first.getByRole('dialog', { name: 'Invite an operator' })
  await inviting.getByRole('button', { name: 'Review the invitation' }).click()
  await expect(inviting.getByText('Please choose at least one role')).toBeVisible()
  await expectAccessible(first)
  await first.setViewportSize({ width: 1280, height: 800 })
  await inviting.getByRole('textbox', { name: 'Name' }).fill(name)
  await inviting.getByRole('textbox', { name: 'E-mail' }).fill(email)
  await inviting.getByRole('checkbox', { name: 'Reviewer' }).check()
  await inviting.getByRole('button', { name: 'Review the invitation' }).click()
  await expect(
    inviting.getByText('Another administrator approves it.').filter({ visible: true }),
  ).toHaveCount(1)
  await inviting.getByRole('button', { name: 'Propose the invitation' }).click()
  await inviting.getByRole('link', { name: 'See the proposal' }).click()

  const second = await open(operatorSession('second'))
  await second.goto(new URL(first.url()).pathname + new URL(first.url()).search)
  const proposal = second.getByRole('dialog')
  await approveProposal(proposal)

  const link = linkIn(await waitForMail(email, /invited to operate/), '/accept-invitation')
  const page = await open(null)
  await page.goto(link.pathname + link.search)
  await waitForScripts(page)
  await expectAccessible(page)
  await page.getByLabel('Password', { exact: true }).fill(PASSWORD)
  await page.getByLabel('Confirm password').fill(PASSWORD)
  await page.keyboard.press('Enter')
  await expect(page).toHaveURL(/\/sign-in\?next=%2Foperator%2Faccount%23security/)
  await waitForScripts(page)
  await expect(page.getByText('Your operator account is open')).toBeVisible()
  await fillSignIn(page, email)
  await expect(page).toHaveURL(/\/operator\/account#security/)
  await expect(page.getByText('Next: turn on a second factor')).toBeVisible()
  await expect(page.getByRole('link', { name: 'My work' })).toBeHidden()
  await page.getByRole('tab', { name: 'Personal' }).click()
  await expect(page.getByText('Next: turn on a second factor')).toBeHidden()
  await expect(page.getByRole('link', { name: 'Deposits' })).toBeHidden()
  await page.getByRole('tab', { name: 'Security' }).click()
  await expectAccessible(page)
  // No page of the console opens before, and none of the dashboard at all.
  await page.goto('/operator/deposits')
  await expect(page).toHaveURL(/\/operator\/account#security/)
  await page.goto('/dashboard/profile#security')
  await expect(page).toHaveURL(/\/operator\/account#security/)
  // Another test covers the set-up, so it is done through the API here.
  const { token } = await storedSession(page)
  const secret = await turnOnSecondFactor({ token, email })

  const reviewer = await open(null)
  await reviewer.goto('/sign-in')
  await waitForScripts(reviewer)
  await fillSignIn(reviewer, email)
  await reviewer.getByLabel('Authentication code').fill(authenticatorCode(0, secret))
  await reviewer.getByRole('button', { name: 'Sign in' }).click()
  await expect(reviewer).toHaveURL(/\/operator$/)
  const navigation = reviewer.getByRole('navigation', { name: 'Operator’s console' })
  await expect(navigation.getByRole('link', { name: 'Audit log' })).toBeVisible()
  await expect(navigation.getByRole('link', { name: 'Operators' })).toBeHidden()
  await reviewer.goto('/operator/operators')
  await expect(reviewer.getByText('Needs the role of administrator or auditor.')).toBeVisible()
  expect((await storedSession(reviewer)).operator?.roles).toEqual(['reviewer'])
})

test('an auditor reads every screen of the console, and none offers a decision', async ({ open }) => {
  test.slow()
  const { session } = await newInvestor()
  const id = await fileDeposit(session.token, 20)
  const page = await open(operatorSession('auditor'))
  for (const { path } of pages.filter(({ area, path }) => area === 'operator' && !path.endsWith(MISSING))) {
    await page.goto(path)
    await waitForLoaded(page)
    await expect.soft(page.getByRole('alert'), path).toHaveCount(0)
    const buttons = await page.locator('main').getByRole('button').allTextContents()
    expect
      .soft(
        buttons.filter((name) => DECISIONS.test(name.trim())),
        path,
      )
      .toEqual([])
  }
  await page.goto(`/operator/deposits?open=${id}`)
  const opened = page.getByRole('dialog')
  await expect(opened.getByText('Needs the role of treasurer.')).toBeVisible()
  await expect(opened.getByRole('button', { name: /Credit|Reject/ })).toHaveCount(0)
})

test('support reads the pages of its menu without an error, and the others name the role they need', async ({
  open,
}) => {
  test.slow()
  const page = await open(operatorSession('support'))
  await page.goto('/operator')
  const menu = page.getByRole('navigation', { name: 'Operator’s console' })
  await expect(menu.getByRole('link', { name: 'Investors' })).toBeVisible()
  await expect(menu.getByRole('link', { name: 'Deposits' })).toBeHidden()
  const paths = await menu
    .getByRole('listitem')
    .getByRole('link')
    .evaluateAll((links) =>
      links.filter((link) => link.checkVisibility()).map((link) => link.getAttribute('href')),
    )
  expect(paths).toEqual(['/operator', '/operator/messages', '/operator/investors', '/operator/settings'])
  for (const { path } of pages.filter(({ area, path }) => area === 'operator' && !path.endsWith(MISSING))) {
    await page.goto(path)
    await waitForLoaded(page)
    await expect.soft(page.getByRole('alert'), path).toHaveCount(0)
    const isOpen = paths.includes(path) || path === '/operator/account'
    await expect.soft(page.getByText('You do not have access'), path).toHaveCount(isOpen ? 0 : 1)
  }
})

test('the audit log is read in words, saved, and compared with its seals', async ({ open }) => {
  const { name, session } = await newInvestor({ name: 'Lou Logged' })
  const id = await fileDeposit(session.token, 20)
  const [filed] = await callApi<{ _id: string; ref: string }[]>('GET', '/transaction-history', {
    token: session.token,
  })
  const page = await open(operatorSession('auditor'))
  await page.goto('/operator/audit-log')
  await waitForLoaded(page)
  await page.getByRole('searchbox', { name: 'Reference', exact: true }).fill(filed?.ref ?? '')
  await page.getByRole('button', { name: 'Show', exact: true }).click()
  await expect(page.getByRole('row').filter({ hasText: `${name} requested a deposit` })).toHaveCount(1)
  const lines = page.getByRole('row').filter({ hasText: 'deposit.requested' })
  await expect(lines).toHaveCount(1)
  await expect(lines.getByRole('link', { name: `Deposit ${filed?.ref}` })).toHaveAttribute(
    'href',
    `/operator/deposits?status=&open=${id}`,
  )
  await expect(lines.getByText(id)).toBeHidden()
  await lines.getByText('Details').click()
  await expect(lines.getByText('$20.00', { exact: true })).toBeVisible()
  await lines.getByText('As recorded').click()
  await expect(lines.getByText(id)).toBeVisible()
  await page.reload()
  await expect(lines).toHaveCount(1)
  await page.getByRole('button', { name: 'Show all' }).click()
  await page.getByRole('searchbox', { name: 'Find a person' }).fill(name)
  await page.getByRole('button', { name: 'Show', exact: true }).click()
  await expect(page).toHaveURL(/person=/)
  await expect(lines.first()).toContainText(`Deposit ${filed?.ref}`)
  const saving = page.waitForEvent('download')
  await page.getByRole('button', { name: 'Export as CSV' }).click()
  expect((await saving).suggestedFilename()).toMatch(/audit-log-[\d-]+\.csv$/)
  await page.getByRole('button', { name: 'Check all lines' }).click()
  await expect(page.getByText(/^[\d,]+ lines checked\. None was changed\.$/)).toBeVisible()

  // The Worker's tests cover real tampering.
  await page.route('**/audit-log/verify*', (route) =>
    route.fulfill({
      json: {
        ok: false,
        checkedTo: 41_203,
        complete: true,
        sealed: 41_200,
        unsealed: 3,
        broken: [
          { seq: 1, why: 'changed' },
          { seq: 40_000, why: 'deleted' },
        ],
      },
    }),
  )
  await page.getByRole('button', { name: 'Check again' }).click()
  await expect(page.getByText('41,203 lines checked: 2 problems found')).toBeVisible()
  await expect(page.getByText('Line 40,000: It was deleted.')).toBeVisible()
  await expectAccessible(page)
  await page.getByRole('link', { name: 'Line 1', exact: true }).click()
  await expect(page).toHaveURL(/\?line=1$/)
  await expect(page.getByText('41,203 lines checked: 2 problems found')).toBeVisible()
})

/** The session in the browser's storage. */
function storedSession(page: Page): Promise<{ token: string; operator?: { roles: string[] } }> {
  return page.evaluate(() => JSON.parse(localStorage.getItem('user-info') ?? '{}'))
}
