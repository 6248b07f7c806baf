import { apiDocs, openApiDocument } from '../../src/contract/platform/platform.ts'
import { ok } from '../http/call.ts'
import { publicRoute, type Route } from '../http/route.ts'
import { docsPage } from './docsPage.ts'
import { openApiOf } from './openapi.ts'

/** The document of these routes and the page to browse it; both describe themselves, too. */
export function documentRoutes(routes: readonly Route[]): readonly Route[] {
  const endpoints = [...routes.map((route) => route.endpoint), openApiDocument, apiDocs]
  return [
    publicRoute(openApiDocument, async (call) =>
      ok(openApiOf(endpoints, new URL(call.request.url).origin), { 'Cache-Control': 'public, max-age=300' }),
    ),
    publicRoute(apiDocs, async () => docsPage()),
  ]
}
