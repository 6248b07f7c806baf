import { fileURLToPath } from 'node:url'
import mdx from '@astrojs/mdx'
import react from '@astrojs/react'
import { defineConfig } from 'astro/config'
import { apiPageScript } from './scripts/integrations/api-page-script.mjs'
import { developmentPages } from './scripts/integrations/development-pages.mjs'
import { leanContract } from './scripts/integrations/lean-contract.mjs'
import { ownHashes } from './scripts/integrations/own-hashes.mjs'
import { preloadScripts } from './scripts/integrations/preload-scripts.mjs'
import { sitemap } from './scripts/integrations/sitemap.mjs'
import { socialPictures } from './scripts/integrations/social-pictures.mjs'
import { stylesOfPages } from './scripts/integrations/styles-of-pages.mjs'
import { site } from './src/site.ts'

/** Files of a name in one folder. @param {string} folder @param {string} names */
const files = (folder, names) => `src/${folder}/(${names})\\.`

/**
 * What pages share, in few files: one compresses better than the ten it is made of, and takes one request. A group takes
 * along what its modules import, so that `core` must import no schema.
 */
const groups = [
  {
    // What every page with an island needs. The pages without islands load none of it.
    name: 'core',
    test: new RegExp(
      [
        'node_modules/(react|react-dom|scheduler|nanostores|@nanostores|react-hot-toast|@astrojs/react)/',
        '^\\0?(vite/preload-helper|rolldown/runtime)',
        files(
          'design',
          'classes|toasts|carriedToast|lucideIcon|Button|Crash|DateTime|EmptyState|ErrorBoundary|Field|Form|LoadFailure|Money|Notice|Panel|SelectField|Skeleton|TextField|Toaster',
        ),
        files('contract', 'money|coins'),
        files(
          'islands/lib',
          'api|request|send|session|ApiFailure|guard|next|query|connection|resource|failureWords|useSession|signOut|drafts',
        ),
        files('islands/shell', 'connectionNotice'),
      ].join('|'),
    ),
  },
  {
    // What checks a form, and what sends it.
    name: 'forms',
    test: new RegExp(
      [
        'node_modules/zod/',
        files('islands/lib', 'endpointForm|form|formControls|formErrors|idempotency|placed|takenUp'),
        files('contract', 'common|text'),
      ].join('|'),
    ),
  },
  {
    // The frame of the dashboard.
    name: 'shell',
    test: new RegExp(
      [
        files('islands/shell', 'AccountMenu|LogoutButton|followOtherTabs|navigation|visibility'),
        files('islands/market', '\\w+Element|lists|words'),
      ].join('|'),
    ),
  },
  {
    // What forms for money have in common.
    name: 'amounts',
    test: new RegExp([files('contract', 'amountField'), files('design', 'MoneyField')].join('|')),
  },
  {
    // What is said beside a form whose request waits for an operator.
    name: 'filing',
    test: new RegExp(
      [files('islands/filing', 'HowLong|decisionWords'), files('contract', 'limits')].join('|'),
    ),
  },
  {
    name: 'lists',
    test: new RegExp([files('design', 'Pagination|Table'), files('islands/lib', 'pages')].join('|')),
  },
]

/** The same for style sheets: those of a screen in one, and one for what signed-in screens are built of. */
const sheets = [
  {
    name: 'kit',
    test: new RegExp(
      `${files(
        'design',
        'EmptyState|Facts|FileInput|Loading|Modal|Money|PageHeading|Pagination|Panel|Progress|QrCode|Skeleton|Switch|Table|Tabs|Tiles|Timeline|WithAside',
      )}module`,
    ),
  },
  {
    // What every public page stands in.
    name: 'public',
    test: /src\/(?:design\/(?:PageHeader|Planned|Sample|Section)|layouts\/(?:PublicLayout|Footer))\.astro\?.*type=style/,
  },
  {
    name: 'strategies',
    test: /src\/pages\/_?strategies\/(?!waterline).*(?:\.css$|type=style)/,
  },
  {
    name: (/** @type {string} */ id) => /src\/islands\/(\w[\w-]*)\/[^/]+\.module\.css/.exec(id)?.[1] ?? null,
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
  integrations: [
    react(),
    mdx(),
    apiPageScript(),
    developmentPages(),
    sitemap(),
    socialPictures(),
    preloadScripts(),
    ownHashes(),
  ],
  security: {
    csp: {
      directives: [
        "default-src 'self'",
        "img-src 'self' blob: data:",
        "object-src 'none'",
        "base-uri 'none'",
        "form-action 'self'",
        "require-trusted-types-for 'script'",
        // One policy wraps an operator's notification, which the server has sanitised, the other the addresses of
        // what a strategy's page fetches on a press.
        'trusted-types evenkeel-notification evenkeel-worker',
      ],
    },
  },
  vite: {
    // Lucide's icons with a maker of our own: theirs is 1 KB of what no icon here uses. The same on both sides, so that what
    // was built is taken over as it is.
    resolve: {
      alias: [
        {
          find: /^\.\.\/createLucideIcon\.mjs$/,
          replacement: fileURLToPath(new URL('src/design/lucideIcon.ts', import.meta.url)),
        },
      ],
    },
    ssr: { noExternal: ['lucide-react'] },
    plugins: [leanContract(), stylesOfPages()],
    build: { assetsInlineLimit: 0, modulePreload: { polyfill: false } },
    environments: {
      client: { build: { rolldownOptions: { output: { codeSplitting: { groups } } } } },
      prerender: { build: { rolldownOptions: { output: { codeSplitting: { groups: sheets } } } } },
    },
    // `npm run dev` serves the pages from Astro and the API from the Worker, at one address.
    server: process.env.API_ORIGIN
      ? { proxy: { '^/(api|docs|dev)(/|$)': { target: process.env.API_ORIGIN } } }
      : {},
  },
})
