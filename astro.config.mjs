import mdx from '@astrojs/mdx'
import react from '@astrojs/react'
import { defineConfig } from 'astro/config'
import { developmentPages, stylesOfPages } from './scripts/integrations/contents.ts'
import { finishPages } from './scripts/integrations/html.ts'
import { listedPages } from './scripts/integrations/listed-pages.ts'
import { offlinePage } from './scripts/integrations/offline-page.ts'
import { sharedScripts, sharedSheets } from './scripts/integrations/shared-files.ts'
import { site } from './src/site.ts'

export default defineConfig({
  site: site.origin,
  output: 'static',
  trailingSlash: 'never',
  build: { format: 'file' },
  devToolbar: { enabled: false },
  // Highlighted code carries inline styles, which the policy below refuses.
  markdown: { syntaxHighlight: false },
  integrations: [react(), mdx(), developmentPages(), listedPages(), finishPages(), offlinePage()],
  security: {
    csp: {
      directives: [
        "default-src 'self'",
        "img-src 'self' blob: data:",
        "object-src 'none'",
        "base-uri 'none'",
        "form-action 'self'",
        "require-trusted-types-for 'script'",
        // One policy is for an operator's notification, which the server has sanitised. The others are for the addresses of the
        // Web Worker of a strategy's page and of the dashboard's service worker.
        'trusted-types notification-text strategy-worker service-worker',
      ],
    },
  },
  vite: {
    plugins: [stylesOfPages()],
    build: { assetsInlineLimit: 0, modulePreload: { polyfill: false } },
    environments: {
      client: {
        build: {
          rolldownOptions: {
            // Calls that only make a schema or an endpoint. A page leaves out those it does not use.
            treeshake: { manualPureFunctions: ['z', 'endpoint'], propertyReadSideEffects: false },
            output: { codeSplitting: { groups: sharedScripts } },
          },
        },
      },
      prerender: { build: { rolldownOptions: { output: { codeSplitting: { groups: sharedSheets } } } } },
    },
    // `npm run dev` serves the pages from Astro and the API from the Worker, at one address.
    server: process.env.API_ORIGIN
      ? { proxy: { '^/(api|dev)(/|$)': { target: process.env.API_ORIGIN } } }
      : {},
  },
})
