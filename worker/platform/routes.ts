import { SETTING_KEYS, settingFacts } from '../../src/contract/console/settingList.ts'
import { settingAt } from '../../src/contract/console/settingValues.ts'
import { apiDocs, health, listConditions, openApiDocument } from '../../src/contract/platform/platform.ts'
import { site } from '../../src/site.ts'
import { ok, publicRoute, type Route } from '../http/call.ts'
import { readTogether } from '../lib/database.ts'
import { refuse } from '../lib/errors.ts'
import { openApiOf } from './openapi.ts'
import { effectiveSettingText, readSettings, settingsOf, storedSettings } from './settings/values.ts'

const CONFIGURATION = {
  withDefaultFonts: false,
  hideClientButton: true,
  showDeveloperTools: 'never',
  telemetry: false,
  agent: { disabled: true },
  mcp: { disabled: true },
}

/**
 * The page to browse the API, with Scalar's script from our own assets. Scalar writes styles into the page, hence the relaxed
 * directive that no other page has.
 */
export function docsPage(): Response {
  const configuration = JSON.stringify(CONFIGURATION).replace(/"/g, '&quot;')
  const html = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>API – ${site.brand}</title>
<link rel="icon" href="/favicon.svg">
</head>
<body>
<noscript>This page needs JavaScript. The document itself is at <a href="/api/v1/openapi.json">/api/v1/openapi.json</a>.</noscript>
<script id="api-reference" data-url="/api/v1/openapi.json" data-configuration="${configuration}"></script>
<script src="/docs-assets/standalone.js"></script>
</body>
</html>`
  return new Response(html, {
    headers: {
      'Content-Type': 'text/html; charset=utf-8',
      'Content-Security-Policy':
        "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; connect-src 'self'; img-src 'self' data: blob:; font-src 'self' data:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
    },
  })
}

/** The OpenAPI document of these routes and the page to browse it. Both are part of the document. */
export function documentRoutes(routes: readonly Route[]): readonly Route[] {
  const endpoints = [...routes.map((route) => route.endpoint), openApiDocument, apiDocs]
  return [
    publicRoute(openApiDocument, async (call) =>
      ok(openApiOf(endpoints, new URL(call.request.url).origin), { 'Cache-Control': 'public, max-age=300' }),
    ),
    publicRoute(apiDocs, async () => docsPage()),
  ]
}

/** Answers `ok` after a real read of the database, 503 otherwise. */
export const healthRoute = publicRoute(health, async (call) => {
  const row = await call.env.DB.prepare('SELECT count(*) AS kinds FROM account_kinds')
    .first<{ kinds: number }>()
    .catch(() => null)
  if (!row || row.kinds === 0) refuse('unavailable')
  return ok({ status: 'ok' as const })
})

export const conditionRoutes: readonly Route[] = [
  publicRoute(listConditions, async ({ db }) => {
    const [rows] = await readTogether(db, readSettings())
    const stored = storedSettings(rows)
    const settings = settingsOf(stored)
    return ok(
      SETTING_KEYS.filter((key) => settingFacts(key).isPublic).map((key) => {
        const value = settingAt(settings, key)
        if (typeof value !== 'number' && typeof value !== 'boolean')
          throw new Error(`${key} is no figure, and cannot be a condition.`)
        return { setting: key, value, words: effectiveSettingText(stored, key) }
      }),
      // Private, because the answer may set a visitor's cookie.
      { 'Cache-Control': 'private, max-age=60' },
    )
  }),
]
