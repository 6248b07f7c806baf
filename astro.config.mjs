import mdx from '@astrojs/mdx'
import react from '@astrojs/react'
import { defineConfig } from 'astro/config'
import { apiPageScript } from './scripts/integrations/api-page-script.mjs'
import { developmentPages } from './scripts/integrations/development-pages.mjs'
import { ownHashes } from './scripts/integrations/own-hashes.mjs'
import { preloadScripts } from './scripts/integrations/preload-scripts.mjs'
import { sitemap } from './scripts/integrations/sitemap.mjs'
import { socialPictures } from './scripts/integrations/social-pictures.mjs'
import { stylesOfPages } from './scripts/integrations/styles-of-pages.mjs'
import { site } from './src/site.ts'

const SHARED = /node_modules|vite\/preload-helper|rolldown\/runtime|src\/(design|contract|islands)\//
/** @param {string} id */
const sheetOf = (id) => /src\/((?:islands|design)\/.*)\/[^/]+\.module\.css|src\/islands\/[^/]+\.module\.css/.test(id) ? (/src\/islands\/([\w-]+)\//.exec(id)?.[1] ?? 'kit') : null

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
    plugins: [stylesOfPages()],
    build: { assetsInlineLimit: 0, modulePreload: { polyfill: false } },
    environments: {
      client: {
        build: {
          rolldownOptions: {
            // What most islands share is one file: a page asks for ten files instead of a hundred small ones.
            output: { codeSplitting: eval('(' + process.env.G1 + ')') },
          },
        },
      },
      prerender: {
        build: {
          rolldownOptions: {
            output: { codeSplitting: { groups: eval(process.env.G2 ?? '[]') } },
          },
        },
      },
    },
    // `npm run dev` serves the pages from Astro and the API from the Worker, at one address.
    server: process.env.API_ORIGIN
      ? { proxy: { '^/(api|docs|dev)(/|$)': { target: process.env.API_ORIGIN } } }
      : {},
  },
})
