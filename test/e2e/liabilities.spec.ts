import { readFile } from 'node:fs/promises'
import type { Page } from '@playwright/test'
import { formatDay } from '../../src/contract/dates.ts'
import type { OwnProof, PublishedRoot } from '../../src/contract/money/liabilities.ts'
import { expectAccessible } from './support/accessibility.ts'
import { callApi, origin } from './support/http.ts'
import { createSession, newInvestor, PASSWORD } from './support/people.ts'
import { expect, test } from './support/test.ts'

/** Signs in the seeded investor, who is in every day’s tree. */
const signInSeeded = () => createSession({ email: 'investor@example.com', password: PASSWORD })
const outcome = (page: Page) => page.getByRole('article')

/** Creates investors and runs the cron until a root is published, and returns it. */
async function publishRoot(): Promise<PublishedRoot> {
  for (let round = 0; round < 8; round++) {
    const [root] = await callApi<PublishedRoot[]>('GET', '/liabilities')
    if (root !== undefined) return root
    await Promise.all([0, 1, 2, 3].map(() => newInvestor({ available: 100 })))
    await fetch(`${origin}/cdn-cgi/local/scheduled?cron=${encodeURIComponent('* * * * *')}`)
  }
  throw new Error('Nothing was published.')
}

test('an investor’s browser checks that their balance is in the published total', async ({ open }) => {
  test.setTimeout(120_000)
  const { root, investors, day } = await publishRoot()
  expect(investors).toBeGreaterThanOrEqual(20)
  const session = await signInSeeded()
  const page = await open(session)
  await page.goto('/dashboard/statement')
  await page.getByRole('link', { name: 'Is my balance counted?' }).click()
  await expect(page).toHaveURL('/liabilities#check')
  await expect(page.getByRole('row').filter({ hasText: root })).toContainText(day)

  await page.getByRole('button', { name: 'Check my balance' }).click()
  const shown = outcome(page)
  await expect(shown.getByRole('heading', { name: 'Included' })).toBeFocused()
  const { leaf } = await callApi<OwnProof>('GET', '/users/liability-proof', { token: session.token })
  await expect(shown).toContainText(/^IncludedYour \$[\d,]+\.\d\d, as of/)
  const steps = shown.getByRole('listitem')
  await expect(steps.first()).toContainText(leaf.salt)
  await expect(steps.first()).toContainText(leaf.investor)
  await expect(steps.nth(1)).toContainText(/Add the (?:left|right) neighbour, \$/)
  await expect(steps.last()).toContainText(`Published for ${formatDay(day)}, over ${investors} investors`)
  await expect(steps.last()).toContainText(root)
  await expectAccessible(page)

  const download = page.waitForEvent('download')
  await page.getByRole('button', { name: 'Save my proof' }).click()
  const file = await download
  expect(file.suggestedFilename()).toBe(`liability-proof-${day}.json`)
  const text = await readFile(await file.path(), 'utf8')

  // Anybody can check the saved proof, and it fails once anything in it is changed.
  const elsewhere = await open()
  await elsewhere.goto('/liabilities#check')
  await elsewhere
    .getByLabel('Proof file')
    .setInputFiles({ name: 'proof.json', mimeType: 'application/json', buffer: Buffer.from(text) })
  await expect(outcome(elsewhere).getByRole('heading', { name: 'Included' })).toBeFocused()
  await elsewhere
    .getByLabel('Or its text')
    .fill(text.replace(/"balanceCents": \d+/, `"balanceCents": ${leaf.balanceCents + 1}`))
  await elsewhere.getByRole('button', { name: 'Check this proof' }).click()
  await expect(outcome(elsewhere).getByRole('heading', { name: 'Not included' })).toBeFocused()
  await expect(outcome(elsewhere)).toContainText('It is different.')
})

const DAY = '2030-01-31'
// A proof in a tree of two investors.
const proof: OwnProof = {
  day: DAY,
  at: `${DAY}T00:01:00.000Z`,
  root: '0'.repeat(64),
  investors: 2,
  totalCents: 300_00,
  leaf: { salt: 'ab'.repeat(32), investor: 'somebody', balanceCents: 100_00 },
  index: 0,
  path: [{ hash: 'cd'.repeat(32), sumCents: 200_00 }],
}
const reserve = {
  chain: 'bitcoin',
  asset: 'bitcoin',
  onChain: '12.5',
  booked: '12',
  difference: '0.5',
  stopsPayouts: false,
  block: { height: 901_234, hash: 'ef'.repeat(32) },
  at: `${DAY}T00:10:00.000Z`,
} satisfies PublishedRoot['reserves'][number]
const reserves: PublishedRoot['reserves'] = [
  reserve,
  {
    ...reserve,
    chain: 'ethereum',
    asset: 'usdt',
    onChain: '900',
    booked: '1000',
    difference: '-100',
    stopsPayouts: true,
  },
]
const atVenues: PublishedRoot['atVenues'] = [
  { venue: 'kraken', asset: 'usd', quantity: '1500', isSimulated: true },
]
/** The root of that tree, as the unit tests of the Merkle tree check it. */
const ROOT = '8e758874c472367b332dd4241bb15c734ed0c1d92a130917a599f1616e526153'

test('a saved proof is checked without signing in, and an altered one fails', async ({ open }) => {
  const page = await open(null, { viewport: { width: 320, height: 800 } })
  const { day, at, investors, totalCents } = proof
  await page.route(/\/api\/v1\/liabilities/, (route) =>
    route.fulfill({ json: [{ day, at, investors, totalCents, root: ROOT, reserves, atVenues }] }),
  )
  await page.goto('/liabilities')
  const held = page.getByRole('region', { name: 'What the wallets held' })
  await expect(held.getByText('Surplus: the wallets held 0.5 BTC more than our books say.')).toBeVisible()
  await expect(held.getByText('Shortfall: the wallets held 100 USDT less than our books say.')).toBeVisible()
  await expect(held.getByText('No payout is sent until this is settled.')).toBeVisible()
  await expect(held.getByRole('listitem').last()).toHaveText('Kraken: 1500 USD (simulated)')
  await expect(held.getByText(/^Block 901,234 \(efef/).first()).toBeVisible()
  await expect(page.getByRole('link', { name: 'Sign in' }).last()).toHaveAttribute(
    'href',
    '/sign-in?next=%2Fliabilities%23check',
  )
  const check = async (changes: object) => {
    await page.getByLabel('Or its text').fill(JSON.stringify({ ...proof, ...changes }))
    await page.getByRole('button', { name: 'Check this proof' }).click()
  }
  await check({})
  const shown = outcome(page)
  await expect(shown.getByRole('heading', { name: 'Included' })).toBeFocused()
  await expect(shown.getByRole('listitem').last()).toContainText('It is the same.')
  await expect(shown.getByRole('button', { name: 'Save my proof' })).toBeHidden()
  await expectAccessible(page)
  for (const change of [
    { leaf: { ...proof.leaf, balanceCents: 99_00 } },
    { leaf: { ...proof.leaf, salt: 'ef'.repeat(32) } },
    { path: [{ hash: 'cd'.repeat(32), sumCents: 200_01 }] },
    { path: [] },
    // A proof that names the published root itself.
    { index: 1, root: ROOT },
  ]) {
    await check(change)
    await expect(shown.getByRole('heading', { name: 'Not included' })).toBeFocused()
    await expect(shown).toContainText(/write to support with the reference LIA-2030-01-31/)
    await expect(shown.getByRole('link', { name: 'Write to support' })).toHaveAttribute('href', '/contact-us')
  }
  await check({ leaf: 'x' })
  await expect(page.getByRole('alert')).toHaveText(/This is not a proof from this page/)
  await expect(shown).toBeHidden()
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(320)
})

test('the page says when nothing is published, when loading fails, and when there is no proof', async ({
  open,
  allowFault,
}) => {
  allowFault(/status of 500/)
  const page = await open(await signInSeeded())
  let answer: { status: number; json: unknown } = {
    status: 500,
    json: { msg: 'It broke.', code: 'internal' },
  }
  await page.route(/\/api\/v1\/liabilities/, (route) => route.fulfill(answer))
  await page.goto('/liabilities')
  await expect(page.getByText('It broke.')).toBeVisible()
  answer = { status: 200, json: [] }
  await page.getByRole('button', { name: 'Try again' }).click()
  await expect(page.getByText('Nothing is published yet.')).toBeVisible()
  await expect(page.getByText('No reserves are counted yet.')).toBeVisible()
  await expectAccessible(page)

  let own: { status: number; json: unknown } = { status: 404, json: { msg: 'No.', code: 'not_found' } }
  await page.route(/\/api\/v1\/users\/liability-proof/, (route) => route.fulfill(own))
  const checkBalance = () => page.getByRole('button', { name: 'Check my balance' }).click()
  await checkBalance()
  await expect(page.getByRole('alert')).toHaveText(/There is no proof for you/)
  own = { status: 200, json: proof }
  await checkBalance()
  await expect(outcome(page).getByRole('heading', { name: 'Not published' })).toBeFocused()
  answer = { status: 500, json: { msg: 'It broke.', code: 'internal' } }
  await checkBalance()
  await expect(outcome(page).getByRole('heading', { name: 'Not compared yet' })).toBeFocused()
  own = { status: 401, json: { msg: 'No.', code: 'unauthenticated' } }
  await checkBalance()
  await expect(page.getByRole('alert')).toHaveText(/Your session has ended/)
  await expect(page.getByRole('button', { name: 'Check my balance' })).toBeHidden()
})
