import { expect, test } from './support/test.ts'

for (const { path, api = path, button, nextStep, href } of [
  {
    path: '/confirm-email',
    api: '/auth/confirm-email-change',
    button: 'Confirm the change',
    nextStep: 'Write to us',
    href: '/contact-us',
  },
  {
    path: '/confirm-withdrawal',
    api: '/withdrawals/confirm',
    button: 'Confirm the withdrawal',
    nextStep: 'Ask again',
    href: '/dashboard/withdrawal',
  },
  {
    path: '/lock-account',
    api: '/auth/lock-account',
    button: 'Lock my account',
    nextStep: 'Write to us',
    href: '/contact-us',
  },
  {
    path: '/stop-factor-recovery',
    api: '/auth/factor-recovery/stop',
    button: 'Stop it',
    nextStep: 'Write to us',
    href: '/contact-us',
  },
  {
    path: '/newsletter/confirm',
    button: 'Confirm subscription',
    nextStep: 'Subscribe again',
    href: '/about-us#newsletter',
  },
  {
    path: '/unsubscribe',
    api: '/users/preferences/unsubscribe',
    button: 'Turn these mails off',
    nextStep: 'Open my preferences',
    href: '/dashboard/profile#notifications',
  },
  { path: '/newsletter/unsubscribe', button: 'Unsubscribe', nextStep: 'Write to us', href: '/contact-us' },
]) {
  test(`${path} explains an incomplete or wrong link, and can be retried after a lost connection`, async ({
    page,
    open,
    allowFault,
  }) => {
    allowFault(/ERR_FAILED/)
    await page.goto(path)
    const alert = page.getByRole('main').getByRole('alert')
    await expect(alert).toContainText('This link is incomplete')
    await expect(page.getByRole('button', { name: button })).toBeHidden()
    await expect(page.getByRole('link', { name: nextStep })).toHaveAttribute('href', href)

    await page.goto(`${path}?token=wrong`)
    await page.route(`**/api/v1${api}`, (route) => route.abort())
    await page.getByRole('button', { name: button }).click()
    await expect(alert).toContainText('We could not reach the server')
    await page.unroute(`**/api/v1${api}`)
    await page.getByRole('button', { name: button }).click()
    await expect(alert).toContainText('This link is wrong, was used already or has expired')
    await expect(page.getByRole('link', { name: nextStep })).toBeVisible()

    const withoutScripts = await open(null, { javaScriptEnabled: false })
    await withoutScripts.goto(`${path}?token=wrong`)
    await expect(withoutScripts.locator('mailed-link noscript > *')).toBeVisible()
    await expect(withoutScripts.locator('mailed-link noscript > *')).toContainText(
      'This button needs JavaScript',
    )
    await expect(withoutScripts.getByRole('button', { name: button })).toBeHidden()
  })
}
