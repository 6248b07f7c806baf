import { apiDocs, openApiDocument } from '../../src/contract/platform/platform.ts'
import { site } from '../../src/site.ts'
import { ok } from '../http/call.ts'
import { publicRoute, type Route } from '../http/route.ts'
import { openApiOf } from './openapi.ts'

const CONFIGURATION = {
  withDefaultFonts: false,
  hideClientButton: true,
  showDeveloperTools: 'never',
  telemetry: false,
  agent: { disabled: true },
  mcp: { disabled: true },
}

/**
 * The page to browse the API, with Scalar's script from our own assets. Scalar writes its styles into the page, hence
 * the one relaxed directive, which no other page has.
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
