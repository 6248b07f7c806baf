import { callApi, origin } from './support/http.ts'
import { expect, test } from './support/test.ts'

interface Document {
  readonly paths: Readonly<Record<string, Readonly<Record<string, { readonly operationId: string }>>>>
}

test('the pages of the API describe every call of its document, without a script', async ({ browser }) => {
  const { paths } = await callApi<Document>('GET', '/openapi.json')
  const calls = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, { operationId }]) => ({
      name: `${method.toUpperCase()} ${path}`,
      operationId,
    })),
  )
  expect(calls.length).toBeGreaterThan(150)
  const context = await browser.newContext({ javaScriptEnabled: false })
  const page = await context.newPage()
  await page.goto(`${origin}/docs`)
  const listed = await page.locator('.areas li a').evaluateAll((links) =>
    links.map((link) => ({
      name: link.textContent?.trim() ?? '',
      href: link.getAttribute('href') ?? '',
    })),
  )
  expect(listed.map(({ name }) => name).toSorted()).toEqual(calls.map(({ name }) => name).toSorted())
  const pages = new Map<string, string>()
  for (const { name, href } of listed) {
    const [path = '', id] = href.split('#')
    const html = pages.get(path) ?? (await (await fetch(`${origin}${path}`)).text())
    pages.set(path, html)
    expect(id).toBe(calls.find((call) => call.name === name)?.operationId)
    expect(html).toContain(`id="${id}"`)
  }
  await context.close()
})

test('a call says who may call it, its fields with their limits, its answer and its refusals', async ({
  page,
}) => {
  await page.goto('/docs/auth')
  const login = page.getByRole('region', { name: 'POST /auth/login', exact: true })
  await expect(login).toContainText('Who may call it: Everybody')
  await expect(login.getByText('password: string')).toBeVisible()
  await expect(login.getByText('token: string')).toBeVisible()
  await expect(login.getByText('invalid_credentials')).toBeHidden()
  await login.getByText('Refusals').click()
  await expect(login.getByText('invalid_credentials')).toBeVisible()
})

test('each call has an example for a shell and one in TypeScript', async ({ page }) => {
  await page.goto('/docs/auth')
  const login = page.getByRole('region', { name: 'POST /auth/login', exact: true })
  await login.getByText('Example', { exact: true }).click()
  await expect(login.getByText(/^curl -X POST '.*\/api\/v1\/auth\/login'/)).toBeVisible()
  await expect(login.getByText(/await fetch\('.*\/api\/v1\/auth\/login', \{/)).toBeVisible()
})

test('each page of the documentation is there as Markdown, and llms.txt leads to it', async ({
  page,
  request,
}) => {
  const index = await (await request.get('/docs.md')).text()
  expect(await (await request.get('/llms.txt')).text()).toContain('/docs.md')
  await page.goto('/docs')
  const areas = await page
    .locator('.areas h3 a')
    .evaluateAll((links) => links.map((link) => link.getAttribute('href')))
  expect(areas.length).toBeGreaterThan(20)
  for (const area of areas) {
    expect(index).toContain(`${area}.md`)
    const answer = await request.get(`${area}.md`)
    expect([area, answer.status(), answer.headers()['content-type']]).toEqual([
      area,
      200,
      expect.stringMatching(/^text\/markdown/),
    ])
  }
  const text = await (await request.get('/docs/auth.md')).text()
  expect(text).toContain('## POST /auth/login')
  expect(text).toContain('Who may call it: Everybody.')
})

test('a search leaves the calls that contain every word', async ({ page }) => {
  await page.goto('/docs')
  await page.getByLabel('Find a call').fill('post withdrawals')
  const shown = page.getByRole('region', { name: /^Calls/ }).getByRole('listitem')
  await expect(page.getByRole('status')).toHaveText(/^\d+ of \d+ calls$/)
  await expect(shown.first()).toBeVisible()
})

test('the former address of the page leads to it', async ({ page }) => {
  await page.goto('/api/v1/docs')
  await expect(page).toHaveURL(`${origin}/docs`)
})
