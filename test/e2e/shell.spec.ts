import { site } from '../../src/site.ts'
import { expectAccessible, waitForLoaded } from './support/accessibility.ts'
import { callApi } from './support/http.ts'
import { newInvestor, operatorSession } from './support/people.ts'
import { fillDepositForm, fillSignIn, waitForScripts } from './support/screens.ts'
import { expect, test } from './support/test.ts'

const PHONE = { viewport: { width: 320, height: 640 } }

test('on a phone the navigation keeps the focus, links to the profile and nine screens, and closes in every way', async ({
  open,
}) => {
  const { name, session } = await newInvestor({ kyc: 'none' })
  const page = await open(session, PHONE)
  await page.goto('/dashboard/trading-plans')
  await waitForScripts(page)
  const menu = page.getByRole('navigation', { name: 'Dashboard' })
  const opener = page.getByRole('button', { name: 'Open the menu' })
  // A long name must not overlap the logo.
  const logo = page.getByRole('banner').getByRole('link', { name: site.brand })
  const boxes = await Promise.all([logo.boundingBox(), page.getByRole('button', { name }).boundingBox()])
  expect((boxes[0]?.x ?? 0) + (boxes[0]?.width ?? 0)).toBeLessThanOrEqual(boxes[1]?.x ?? 0)
  await opener.focus()
  await page.keyboard.press('Enter')
  const close = page.getByRole('button', { name: 'Close the menu' })
  await expect(close).toBeFocused()
  await expect(page.locator('.body')).toHaveAttribute('inert', '')
  await expect(menu.getByRole('link', { name })).toHaveAttribute('href', '/dashboard/profile')
  await expect(menu.getByRole('list').getByRole('link')).toHaveText([
    'Overview',
    'Strategies',
    'Deposit',
    'Withdrawal',
    'Transaction History',
    'Profile',
    'KYC',
    'Trading Plans',
    'Referral Program',
    'Support',
  ])
  for (let presses = 0; presses < 16; presses++) {
    await page.keyboard.press('Tab')
    const isBehind = await page.evaluate(() => document.querySelector('[data-behind]:focus-within') !== null)
    expect(isBehind, `after ${presses + 1} times Tab`).toBe(false)
  }
  await page.keyboard.press('Escape')
  await expect(menu).toBeHidden()
  await expect(opener).toBeFocused()
  await expect(page.locator('[inert]')).toHaveCount(0)

  // Opening the navigation closes the account menu.
  await page.getByRole('button', { name }).click()
  await expect(page.getByRole('link', { name: 'Account Settings' })).toBeVisible()
  await opener.click()
  await expect(page.getByRole('link', { name: 'Account Settings' })).toBeHidden()
  await expect(menu).toBeVisible()
  // A window wide enough for the sidebar closes it.
  await page.setViewportSize({ width: 1280, height: 800 })
  await expect(page.locator('[inert]')).toHaveCount(0)
  await page.setViewportSize(PHONE.viewport)
  await expect(menu).toBeHidden()
  await opener.click()
  await menu.getByRole('link', { name: 'KYC' }).click()
  await expect(page).toHaveURL('/dashboard/kyc')
  await page.goBack()
  await expect(menu).toBeHidden()
  await opener.click()
  await menu.getByRole('link', { name }).click()
  await expect(page).toHaveURL('/dashboard/profile')
  await page.getByRole('button', { name }).click()
  await page.getByRole('link', { name: 'Account Settings' }).click()
  await expect(page).toHaveURL('/dashboard/profile')
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(320)
  await page.getByRole('button', { name: 'Open the menu' }).click()
  await menu.getByRole('button', { name: 'Logout' }).click()
  await expect(page).toHaveURL('/sign-in')
})

test('on a phone the console’s search is beside the logo, its menu at the bottom, and the content begins within 100 pixels', async ({
  open,
}) => {
  const page = await open(operatorSession('first'), { viewport: { width: 390, height: 844 } })
  await page.goto('/operator/deposits')
  const [heading, search, menu] = await Promise.all([
    page.getByRole('heading', { level: 1 }).boundingBox(),
    page.getByPlaceholder('Search people, references, amounts').boundingBox(),
    page.getByRole('button', { name: 'Open the menu' }).boundingBox(),
  ])
  expect(heading?.y).toBeLessThanOrEqual(100)
  expect((search?.x ?? 0) + (search?.width ?? 0)).toBeLessThanOrEqual(390)
  expect((search?.y ?? 0) + (search?.height ?? 0)).toBeLessThan(heading?.y ?? 0)
  expect((menu?.y ?? 0) + (menu?.height ?? 0)).toBeLessThanOrEqual(844)
  expect(menu?.y).toBeGreaterThan(760)
})

test('on a phone the most used screens are at the bottom, and the content begins within 100 pixels', async ({
  open,
}) => {
  const { session } = await newInvestor({ kyc: 'none' })
  const page = await open(session, { viewport: { width: 390, height: 844 } })
  await page.goto('/dashboard/trading-plans')
  const bar = page.getByRole('navigation', { name: 'Most used screens' })
  await expect(bar.getByRole('link')).toHaveText(['Overview', 'Strategies', 'Deposit', 'Withdraw'])
  await expect(bar.locator('[aria-current]')).toHaveCount(0)
  const heading = await page.getByRole('heading', { level: 1 }).boundingBox()
  expect(heading?.y).toBeLessThanOrEqual(100)
  const box = await bar.boundingBox()
  expect((box?.y ?? 0) + (box?.height ?? 0)).toBe(844)
  await bar.getByRole('link', { name: 'Withdraw' }).click()
  await expect(page).toHaveURL('/dashboard/withdrawal')
  await expect(bar.locator('[aria-current]')).toHaveText('Withdraw')
  // The end of the page is not behind the bar.
  await waitForLoaded(page)
  await page.evaluate(() => scrollTo(0, document.body.scrollHeight))
  const [end, top] = await Promise.all([
    page.locator('market-ticker').evaluate((ticker) => ticker.getBoundingClientRect().bottom),
    bar.evaluate((element) => element.getBoundingClientRect().top),
  ])
  // Positions may be fractions of a pixel.
  expect(end).toBeLessThan(top + 1)
  await page.setViewportSize({ width: 1280, height: 800 })
  await expect(bar).toBeHidden()
})

test('an unknown address below the dashboard is a 404 with its menu, and the dashboard leads to the overview', async ({
  open,
  allowFault,
}) => {
  allowFault(/404 \(Not Found\)/)
  const { session } = await newInvestor({ kyc: 'none' })
  const page = await open(session)
  const answer = await page.goto('/dashboard/deposits/new')
  expect(answer?.status()).toBe(404)
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Page not found')
  await expect(page.getByRole('navigation', { name: 'Dashboard' }).getByRole('link')).not.toHaveCount(0)
  await page.getByRole('main').getByRole('link', { name: 'Go to the overview' }).click()
  await expect(page).toHaveURL('/dashboard/overview')
  for (const address of ['/dashboard', '/dashboard/']) {
    await page.goto(address)
    await expect(page).toHaveURL('/dashboard/overview')
  }
  // Where password managers send people.
  await page.goto('/.well-known/change-password')
  await expect(page).toHaveURL('/dashboard/profile#security')
  await expect(page.getByRole('button', { name: 'Change Password' })).toBeVisible()
})

test('the navigation works before any script has loaded', async ({ open, allowFault }) => {
  allowFault(/ERR_FAILED|Failed to fetch dynamically imported module/)
  const { session } = await newInvestor({ kyc: 'none' })
  const page = await open(session, PHONE)
  await page.route('**/_astro/*.js', (route) => route.abort())
  await page.goto('/dashboard/trading-plans')
  const menu = page.getByRole('navigation', { name: 'Dashboard' })
  await page.getByRole('button', { name: 'Open the menu' }).click()
  await page.keyboard.press('Escape')
  await expect(menu).toBeHidden()
  await page.getByRole('button', { name: 'Open the menu' }).click()
  await menu.getByRole('link', { name: 'Deposit' }).click()
  await expect(page).toHaveURL('/dashboard/deposit')
})

test('an offline screen says so and keeps the input, and back online it sends nothing by itself', async ({
  open,
  allowFault,
}) => {
  allowFault(/ERR_INTERNET_DISCONNECTED/)
  const { session } = await newInvestor()
  const page = await open(session, PHONE)
  const sent: string[] = []
  page.on('request', (request) => request.method() === 'POST' && sent.push(request.url()))
  await page.goto('/dashboard/deposit')
  await fillDepositForm(page, 'Bitcoin', '25')
  await page.getByLabel('Receipt', { exact: true }).setInputFiles({
    name: 'receipt.svg',
    mimeType: 'image/svg+xml',
    buffer: Buffer.from('<svg xmlns="http://www.w3.org/2000/svg" width="64" height="64"/>'),
  })
  // What appears above the place that the browser scrolled to moves it.
  await expect(page.getByText(/ for 1 BTC/)).toBeVisible()
  await expect(page.getByRole('button', { name: 'Remove receipt.svg' })).toBeVisible()
  const notice = page.locator('connection-notice')
  const placeOfMain = () => page.getByRole('main').evaluate((main) => main.getBoundingClientRect().top)
  const before = await placeOfMain()
  await page.context().setOffline(true)
  await expect(notice).toContainText('You are offline. What you typed stays.')
  expect(await placeOfMain()).toBe(before)
  await expectAccessible(page)
  const send = page.getByRole('button', { name: 'Send Deposit Request' })
  await send.click()
  const messages = page.getByRole('region', { name: 'Messages' })
  await expect(messages).toContainText('You are offline')
  await expect(messages).toContainText('it will not be done twice')
  await expect(page.getByRole('textbox', { name: 'Amount in USD' })).toHaveValue('25')
  // The notice must not cover the end of the page.
  await page.evaluate(() => scrollTo(0, document.body.scrollHeight))
  const [end, top] = await Promise.all([
    page.getByRole('main').evaluate((main) => main.lastElementChild?.getBoundingClientRect().bottom ?? 0),
    notice.evaluate((bar) => bar.getBoundingClientRect().top),
  ])
  expect(end).toBeLessThanOrEqual(top)
  await page.context().setOffline(false)
  await expect(notice).toHaveText('The connection is back.')
  await expect(notice).toHaveText('')
  expect(sent).toHaveLength(1)
  await send.click()
  await expect(page.getByRole('dialog', { name: 'Deposit Request Completed' })).toBeVisible()
  await page.getByRole('dialog').getByRole('link', { name: 'Transaction History' }).click()
  await expect(page.getByRole('row').filter({ hasText: '$25.00' })).toHaveCount(1)
})

test('a list that failed to load is loaded once the server answers', async ({ open, allowFault }) => {
  allowFault(/ERR_FAILED|Failed to load resource/)
  const { session } = await newInvestor({ available: 30 })
  const page = await open(session)
  let isDown = true
  await page.route(/\/api\/v1\/(transaction-history|health)/, (route) =>
    isDown ? route.abort() : route.continue(),
  )
  await page.goto('/dashboard/transaction-history')
  await expect(page.getByRole('alert')).toContainText('We could not reach the server.')
  await expect(page.locator('connection-notice')).toContainText('The server does not answer')
  isDown = false
  await expect(page.getByRole('row').filter({ hasText: '$30.00' })).toBeVisible()
  await expect(page.getByRole('alert')).toBeHidden()

  // The auth pages show the notice too.
  await page.goto('/forgot-password')
  await waitForScripts(page)
  await page.route('**/api/v1/auth/forgot-password', (route) => route.abort())
  await page.getByLabel('Email').fill(session.email)
  await page.getByRole('button', { name: 'Request Reset Link' }).click()
  await expect(page.locator('connection-notice')).toContainText('The server does not answer')
})

test('an expired session leads to sign-in with the reason, and then back to the same place', async ({
  open,
}) => {
  const { email, session } = await newInvestor({ kyc: 'none' })
  const page = await open(session)
  // Waits for all calls, so that the reload is the first to meet the ended session.
  await page.goto('/dashboard/profile?from=mail#notifications', { waitUntil: 'networkidle' })
  await expect(page.getByRole('tab', { name: 'Notifications' })).toHaveAttribute('aria-selected', 'true')
  await callApi('POST', '/auth/logout', { token: session.token })
  await page.reload()
  await expect(page).toHaveURL('/sign-in?next=%2Fdashboard%2Fprofile%3Ffrom%3Dmail%23notifications&why=ended')
  await expect(page.getByText('Your session has ended. Sign in to continue where you were.')).toBeVisible()
  await expectAccessible(page)
  await fillSignIn(page, email)
  await expect(page).toHaveURL('/dashboard/profile?from=mail#notifications')
  await expect(page.getByRole('tab', { name: 'Notifications' })).toHaveAttribute('aria-selected', 'true')
})

test('a sign-in by another user in another tab clears this tab', async ({ open }) => {
  const ana = await newInvestor({ available: 77 })
  const boris = await newInvestor({ name: 'Boris Marsh', kyc: 'none' })
  const page = await open(ana.session)
  await page.goto('/dashboard/transaction-history')
  await expect(page.getByRole('row').filter({ hasText: '$77.00' })).toBeVisible()
  const other = await page.context().newPage()
  await other.goto('/fees')
  // A tab that showed /sign-in since before Ana signed in.
  await other.evaluate((kept) => localStorage.setItem('user-info', kept), JSON.stringify(boris.session))
  await expect(page).toHaveURL('/dashboard/overview')
  await expect(page.getByRole('button', { name: 'Boris Marsh' })).toBeVisible()
  await expect(page.getByText('$77.00')).toHaveCount(0)
})

test('toasts stay while hovered or focused, and many of them leave room on a phone', async ({ open }) => {
  const page = await open(null, PHONE)
  await page.clock.install()
  await page.goto('/design')
  await waitForScripts(page)
  const messages = page.getByRole('region', { name: 'Messages' })
  const blank = page.getByRole('button', { name: 'Blank toast' })
  await blank.click()
  await messages.getByText('A blank toast').hover()
  await page.clock.runFor(10_000)
  await expect(messages.getByText('A blank toast')).toBeVisible()
  await page.mouse.move(5, 630)
  await page.clock.runFor(6000)
  await expect(messages.getByText('A blank toast')).toHaveCount(0)

  await page.getByRole('button', { name: 'Error toast' }).click()
  await messages.getByRole('button', { name: 'Dismiss' }).focus()
  await page.clock.runFor(10_000)
  await expect(messages.getByText('The e-mail address or the password is wrong.')).toBeVisible()
  // Dismissing it by keyboard moves the focus away, so the timers run again.
  await page.keyboard.press('Enter')
  await page.clock.runFor(1500)
  await expect(messages.getByRole('button')).toHaveCount(0)

  const success = page.getByRole('button', { name: 'Success toast' })
  for (let count = 0; count < 25; count++) await success.evaluate((button: HTMLElement) => button.click())
  await expect(messages.getByText('Login Successful')).toHaveCount(20)
  const box = await messages.boundingBox()
  expect(box?.height).toBeLessThanOrEqual(640 * 0.6)
  expect(box?.width).toBeLessThanOrEqual(350)
  await messages.getByRole('button', { name: 'Dismiss all' }).click()
  await page.clock.runFor(1500)
  await expect(messages.getByText('Login Successful')).toHaveCount(0)
})

test('toasts above an open dialog stay while hovered, and can be dismissed', async ({ open, allowFault }) => {
  allowFault(/status of 503/)
  const { session } = await newInvestor({ kyc: 'none' })
  const page = await open(session)
  await page.clock.install()
  await page.goto('/dashboard/profile')
  await page.getByRole('button', { name: 'Change Full Name' }).click()
  const dialog = page.getByRole('dialog', { name: 'Update Profile' })
  // Without a code, which the specification does not name.
  await page.route('**/api/v1/users/user-info', (route) =>
    route.request().method() === 'PATCH'
      ? route.fulfill({ status: 503, json: { msg: 'Back at nine.' } })
      : route.fallback(),
  )
  await dialog.getByLabel('Full Name').fill('Ana Maria Torres')
  await dialog.getByRole('button', { name: 'Update Info' }).click()
  const toast = page.getByRole('region', { name: 'Messages' }).getByText('Back at nine.')
  await toast.hover()
  await page.clock.runFor(10_000)
  await expect(toast).toBeVisible()
  await page.getByRole('region', { name: 'Messages' }).getByRole('button', { name: 'Dismiss' }).click()
  await page.clock.runFor(1500)
  await expect(toast).toHaveCount(0)
  await expect(dialog).toBeVisible()
})

test('TradingView’s ticker loads only once turned on, in that tab, without a referrer, and ours returns if it fails', async ({
  open,
  allowFault,
}) => {
  allowFault(/ERR_INTERNET_DISCONNECTED|ERR_FAILED/)
  const { session } = await newInvestor({ kyc: 'none' })
  const page = await open(session, PHONE)
  const referrers: (string | undefined)[] = []
  await page.context().route('https://www.tradingview-widget.com/**', async (route) => {
    referrers.push((await route.request().allHeaders()).referer)
    await route.fulfill({
      contentType: 'text/html',
      body: '<title>Tape</title><p>BTC 1</p><script>parent.postMessage({ name: "tv-widget-load" }, "*")</script>',
    })
  })
  await page.goto('/dashboard/trading-plans')
  const ours = page.getByRole('group', { name: 'Market prices' })
  await expect(ours).toContainText('BTC')
  expect(referrers).toEqual([])
  await page.getByRole('button', { name: 'Choose whose prices these are' }).click()
  const choice = page.getByRole('checkbox', { name: 'Show TradingView’s tape instead of ours' })
  await expect(choice).not.toBeChecked()
  await expect(choice).toHaveAccessibleDescription(/TradingView learns your IP address/)
  await expectAccessible(page)
  await choice.check()
  const frame = page.locator('market-ticker iframe')
  await expect(frame).toBeVisible()
  await expect(ours).toBeHidden()
  await expect(frame).toHaveAttribute('sandbox', /^allow-scripts allow-same-origin allow-popups/)
  await expect(frame.contentFrame().getByText('BTC 1')).toBeVisible()
  expect(referrers).toEqual([undefined])
  // It applies to this tab and its next pages only.
  const other = await page.context().newPage()
  await other.goto('/dashboard/trading-plans')
  await expect(other.getByRole('group', { name: 'Market prices' })).toBeVisible()
  await other.close()
  await page.goto('/dashboard/referral-program')
  await expect(frame).toBeVisible()
  await page.context().setOffline(true)
  await expect(ours).toBeVisible()
  await expect(page.locator('market-ticker small')).toContainText('TradingView: no answer')
  await page.context().setOffline(false)
  await expect(frame).toBeVisible()
  // A host that never answers: its frame fires no error.
  await page.clock.install()
  await page.context().unrouteAll()
  await page.context().route('https://www.tradingview-widget.com/**', (route) => route.abort())
  await page.reload()
  await expect(frame).toBeVisible()
  await page.clock.runFor(31_000)
  await expect(ours).toBeVisible()
  await page.getByRole('button', { name: 'Choose whose prices these are' }).click()
  await choice.uncheck()
  await expect(frame).toHaveCount(0)
  await page.reload()
  await expect(ours).toBeVisible()
  await expect(frame).toHaveCount(0)
})

test('the first calls of a screen are sent before its scripts load, and only once', async ({ open }) => {
  const { session } = await newInvestor()
  const page = await open(session)
  let sent: string[] = []
  page.on('request', (request) => {
    const { pathname, search } = new URL(request.url())
    if (pathname.startsWith('/api/v1/')) sent.push(`${request.method()} ${pathname}${search}`)
  })
  for (const [path, calls] of Object.entries({ overview: 3, deposit: 2, withdrawal: 3, strategies: 1 })) {
    sent = []
    let letScriptsLoad = () => {}
    const until = new Promise<void>((resolve) => {
      letScriptsLoad = resolve
    })
    await page.route('**/*.js', async (route) => {
      await until
      await route.continue()
    })
    const opened = page.goto(`/dashboard/${path}`)
    await expect.poll(() => sent, { message: path }).toHaveLength(calls)
    const first = [...sent]
    letScriptsLoad()
    await opened
    await waitForLoaded(page)
    // A late call of this screen is none of the next one.
    await page.waitForLoadState('networkidle')
    await page.unroute('**/*.js')
    expect(sent.filter((each) => first.includes(each))).toEqual(first)
  }
})
