import mdx from '@astrojs/mdx'
import react from '@astrojs/react'
import { defineConfig } from 'astro/config'
import {
  browserEndpoints,
  developmentPages,
  extendableEntries,
  stylesOfPages,
} from './scripts/integrations/contents.ts'
import { ownHashes, preloadScripts } from './scripts/integrations/html.ts'
import { listedPages } from './scripts/integrations/listed-pages.ts'
import { site } from './src/site.ts'

/** What nearly every signed-in page loads, apart from the modules that public pages load too. */
const FRAMEWORK =
  /node_modules\/(?!@noble|@simplewebauthn)|rolldown\/runtime|src\/(?:design|islands)\/(?!lib\/(?:passkey|saveFile))|src\/contract\/(?:common|fields|endpoint)\.ts/
/**
 * What several screens share, without large parts that few need, like passwords and the checks of an address. Over HTTP/1.1 a slow phone
 * loads six kilobytes in the time of one more request.
 */
const SCREENS =
  /lucide.*\/(?:check|chevron-down|copy|undo-2)\.|src\/(?:design\/(?:CopyButton|EmptyState|Money|Progress|SelectField|Status|Tiles|WithAside)\b|islands\/(?:shell\/(?:navigation|visibility)|lib\/(?:DecisionTimes|Loaded|days|pages|priceWords|url|useSession|takeFocus)|identity\/kyc\/kycState|money\/transactions\/RequestCompleted|investing\/(?:market\/lists|strategies\/(?:positions|words))|outreach\/notifications\/NotificationWindow)|contract\/(?:isolate|uploads|identity\/(?:kyc|userInfo)|investing\/(?:coins|allocations|strategies)|money\/(?!addresses|liabilit|destinations)))/
const CONSOLE = /src\/islands\/console\/|src\/contract\/(?:console|roles)/
const REQUESTS = /src\/(?:islands\/(?:money\/(?:deposits|requests)|lib\/fileField)|design\/RadioGroup)/

// Not what its modules import: otherwise a page that needs one of them would load all of that too.
const alone = { includeDependenciesRecursively: false }

/** A sheet for what every public page stands in, whose first flight is 14 KB, for what screens and forms share, and one for each screen. */
const sheets = [
  {
    name: 'public',
    test: /src\/(?:design\/(?:PageHeader|Planned|Sample|Section)|layouts\/(?:PublicLayout|Footer))\.astro\?.*type=style/,
  },
  {
    name: 'screen',
    test: /src\/(?:design\/(?:CopyButton|EmptyState|Facts|FileInput|Modal|Money|Panel|Progress|QrCode|Skeleton|Switch|Table|Tabs|Tiles|Timeline|WithAside)|islands\/(?:shell|money\/payments)\/\w+)\.module\.css|src\/layouts\/(?:Dashboard|Operator)Layout.*type=style|src\/layouts\/Shell.*type=style/,
  },
  { name: 'form', test: /src\/design\/(?:ErrorBoundary|Field|Form|Notice)\.module\.css/ },
  { name: 'strategies', test: /src\/pages\/_investing\/strategies\/(?!waterline).*(?:\.css$|type=style)/ },
  {
    name: (/** @type {string} */ id) =>
      /src\/islands\/(.+)\/[\w.]+\.css$/.exec(id)?.[1]?.replaceAll('/', '-') ?? null,
  },
]

export default defineConfig({
  site: site.origin,
  output: 'static',
  trailingSlash: 'never',
  build: { format: 'file' },
  devToolbar: { enabled: false },
  // Highlighted code carries inline styles, which the policy below refuses.
  markdown: { syntaxHighlight: false },
  integrations: [react(), mdx(), developmentPages(), listedPages(), preloadScripts(), ownHashes()],
  security: {
    csp: {
      directives: [
        "default-src 'self'",
        "img-src 'self' blob: data:",
        "object-src 'none'",
        "base-uri 'none'",
        "form-action 'self'",
        "require-trusted-types-for 'script'",
        // One policy is for an operator's notification, which the server has sanitised, the other for the address of the
        // Web Worker of a strategy's page.
        'trusted-types notification-text strategy-worker',
      ],
    },
  },
  vite: {
    plugins: [stylesOfPages(), extendableEntries(), browserEndpoints()],
    build: { assetsInlineLimit: 0, modulePreload: { polyfill: false } },
    environments: {
      client: {
        build: {
          rolldownOptions: {
            // Calls that only make a schema or an endpoint. A page leaves out those it does not use.
            treeshake: { manualPureFunctions: ['z', 'endpoint'], propertyReadSideEffects: false },
            // Few files, because over HTTP/1.1 each six cost a round trip. What public pages use too stays apart: `saveFile`, `dates`, `money`, `hex`.
            output: {
              codeSplitting: {
                groups: [
                  { name: 'dates', test: /src\/(?:contract\/dates|time)\.ts/, priority: 1 },
                  { name: 'shared', test: FRAMEWORK, minShareCount: 18, ...alone },
                  { name: 'screens', test: SCREENS, minShareCount: 2, ...alone },
                  { name: 'console', test: CONSOLE, minShareCount: 4, ...alone },
                  { name: 'requests', test: REQUESTS, minShareCount: 2, ...alone },
                ],
              },
            },
          },
        },
      },
      prerender: { build: { rolldownOptions: { output: { codeSplitting: { groups: sheets } } } } },
    },
    // `npm run dev` serves the pages from Astro and the API from the Worker, at one address.
    server: process.env.API_ORIGIN
      ? { proxy: { '^/(api|dev)(/|$)': { target: process.env.API_ORIGIN } } }
      : {},
  },
})
