import { getSettingFacts, SETTING_KEYS } from '../../src/contract/console/settingList.ts'
import { getSetting } from '../../src/contract/console/settingValues.ts'
import { buildOpenApi } from '../../src/contract/openApi.ts'
import { apiDocs, health, listConditions, openApiDocument } from '../../src/contract/platform/platform.ts'
import { site } from '../../src/site.ts'
import { createRoute, ok, type Route } from '../http/call.ts'
import { readTogether } from '../lib/database.ts'
import { refuse } from '../lib/errors.ts'
import { formatEffectiveSetting, parseStoredSettings, readSettings, toSettings } from './settings/values.ts'

/** Leads to `/docs`, which is prerendered. */
function renderDocsPage(): Response {
  const html = `<!doctype html>
<html lang="en">
<head><meta charset="utf-8"><title>API – ${site.brand}</title><meta http-equiv="refresh" content="0; url=/docs"></head>
<body><p>Every call is described at <a href="/docs">/docs</a>, and in the document <a href="/api/v1/openapi.json">openapi.json</a>.</p></body>
</html>`
  return new Response(html, { headers: { 'Content-Type': 'text/html; charset=utf-8' } })
}

/** The OpenAPI document of these routes and the page to browse it. Both are part of the document. */
export function createDocumentRoutes(loadRoutes: () => Promise<readonly Route[]>): readonly Route[] {
  return [
    createRoute(openApiDocument, async (call) => {
      const routes = await loadRoutes()
      const endpoints = [...routes.map((route) => route.endpoint), openApiDocument, apiDocs]
      return ok(buildOpenApi(endpoints, { brand: site.brand, origin: new URL(call.request.url).origin }), {
        'Cache-Control': 'public, max-age=300',
      })
    }),
    createRoute(apiDocs, async () => renderDocsPage()),
  ]
}

/** Answers `ok` after a real read of the database, 503 otherwise. */
export const healthRoute = createRoute(health, async (call) => {
  const row = await call.env.DB.prepare('SELECT count(*) AS kinds FROM account_kinds')
    .first<{ kinds: number }>()
    .catch(() => null)
  if (!row || row.kinds === 0) refuse('unavailable')
  return ok({ status: 'ok' as const })
})

export const conditionRoutes: readonly Route[] = [
  createRoute(listConditions, async ({ db }) => {
    const [rows] = await readTogether(db, readSettings())
    const stored = parseStoredSettings(rows)
    const settings = toSettings(stored)
    return ok(
      SETTING_KEYS.filter((key) => getSettingFacts(key).isPublic).map((key) => {
        const value = getSetting(settings, key)
        if (typeof value !== 'number' && typeof value !== 'boolean')
          throw new Error(`${key} is no figure, and cannot be a condition.`)
        return { setting: key, value, words: formatEffectiveSetting(stored, key) }
      }),
      // Private, because the answer may set a visitor's cookie.
      { 'Cache-Control': 'private, max-age=60' },
    )
  }),
]
