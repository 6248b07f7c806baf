import { SETTING_KEYS, settingFacts } from '../../src/contract/console/settingList.ts'
import { settingAt } from '../../src/contract/console/settingValues.ts'
import { openApiOf } from '../../src/contract/openApi.ts'
import { apiDocs, health, listConditions, openApiDocument } from '../../src/contract/platform/platform.ts'
import { site } from '../../src/site.ts'
import { ok, publicRoute, type Route } from '../http/call.ts'
import { readTogether } from '../lib/database.ts'
import { refuse } from '../lib/errors.ts'
import { effectiveSettingText, readSettings, settingsOf, storedSettings } from './settings/values.ts'

/** Leads to `/docs`, which is prerendered. */
function docsPage(): Response {
  const html = `<!doctype html>
<html lang="en">
<head><meta charset="utf-8"><title>API – ${site.brand}</title><meta http-equiv="refresh" content="0; url=/docs"></head>
<body><p>Every call is described at <a href="/docs">/docs</a>, and in the document <a href="/api/v1/openapi.json">openapi.json</a>.</p></body>
</html>`
  return new Response(html, { headers: { 'Content-Type': 'text/html; charset=utf-8' } })
}

/** The OpenAPI document of these routes and the page to browse it. Both are part of the document. */
export function documentRoutes(loadRoutes: () => Promise<readonly Route[]>): readonly Route[] {
  return [
    publicRoute(openApiDocument, async (call) => {
      const routes = await loadRoutes()
      const endpoints = [...routes.map((route) => route.endpoint), openApiDocument, apiDocs]
      return ok(openApiOf(endpoints, { brand: site.brand, origin: new URL(call.request.url).origin }), {
        'Cache-Control': 'public, max-age=300',
      })
    }),
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
