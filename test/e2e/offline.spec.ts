import type { Page } from '@playwright/test'
import { newInvestor, type Session } from './support/people.ts'
import { expect, test } from './support/test.ts'

const PHONE = { viewport: { width: 390, height: 844 }, serviceWorkers: 'allow' } as const

test('without a connection, the dashboard shows the last figures with their time, and nothing once signed out', async ({
  open,
  allowFault,
}) => {
  allowFault(/ERR_INTERNET_DISCONNECTED|Failed to load resource/)
  const { session } = await newInvestor({ available: 90.25 })
  const page = await open(null, PHONE)
  await signInOnce(page, session)
  await page.goto('/dashboard/overview')
  await expect(page.getByText('$90.25').first()).toBeVisible()
  await page.evaluate(() => navigator.serviceWorker.ready)

  await page.context().setOffline(true)
  await page.goto('/dashboard/withdrawal')
  await expect(page.getByRole('heading', { level: 1, name: 'You are offline' })).toBeVisible()
  await expect(page.getByText('$90.25').first()).toBeVisible()
  const loaded = page.getByRole('paragraph').filter({ hasText: 'Loaded on' }).getByRole('time')
  await expect(loaded).toHaveText(new RegExp(String(new Date().getFullYear())))
  await expect(page.getByRole('button', { name: 'Send Withdrawal Request' })).toHaveCount(0)
  const kept = await listKeptAddresses(page)
  expect(kept).toContain('/dashboard/offline')
  expect(kept.filter((address) => !/^\/(?:dashboard\/offline$|_astro\/)/.test(address))).toEqual([])

  await page.context().setOffline(false)
  await expect(page.getByRole('heading', { level: 1, name: 'Withdrawal' })).toBeVisible()

  await page.goto('/dashboard/overview')
  await page.getByRole('button', { name: session.name }).click()
  await page.getByRole('button', { name: 'Logout' }).click()
  await expect(page).toHaveURL(/\/sign-in/)
  expect(await page.evaluate(() => JSON.stringify({ ...localStorage, ...sessionStorage }))).not.toMatch(
    /90\.25|totalBalance/,
  )
})

test('the site can be installed: it opens on the overview, in a window of its own', async ({ request }) => {
  const manifest = await (await request.get('/site.webmanifest')).json()
  expect(manifest).toMatchObject({ display: 'standalone', start_url: '/dashboard/overview' })
  for (const { url } of manifest.shortcuts) expect((await request.get(url)).status(), url).toBe(200)
  const worker = await request.get('/service-worker.js')
  expect(worker.headers()['content-type']).toMatch(/javascript/)
  expect(worker.headers()['cache-control']).toBe('no-cache')
})

/** Signs in as the form does. The usual session is written again on each page, without the figures. */
async function signInOnce(page: Page, session: Session): Promise<void> {
  await page.goto('/sign-in')
  await page.evaluate((userInfo) => localStorage.setItem('user-info', userInfo), JSON.stringify(session))
}

/** The paths that the service worker keeps. */
function listKeptAddresses(page: Page): Promise<string[]> {
  return page.evaluate(async () => {
    const names = await caches.keys()
    const requests = await Promise.all(names.map(async (name) => (await caches.open(name)).keys()))
    return requests.flat().map(({ url }) => new URL(url).pathname)
  })
}
