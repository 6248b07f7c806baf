import { fileURLToPath } from 'node:url'
import mdx from '@astrojs/mdx'
import react from '@astrojs/react'
import { defineConfig } from 'astro/config'
import { apiPageScript } from './scripts/integrations/api-page-script.mjs'
import { developmentPages } from './scripts/integrations/development-pages.mjs'
import { leanContract } from './scripts/integrations/lean-contract.mjs'
import { sitemap } from './scripts/integrations/sitemap.mjs'
import { socialPictures } from './scripts/integrations/social-pictures.mjs'
import { site } from './src/site.ts'

/**
 * What every page with an island needs. In one file it compresses 3 KB better than in fifteen, and is fetched at once.
 * The pages without islands load none of it. Nothing with styles may be in it: Astro gives those to each page, and what
 * is imported later would look for them in vain.
 */
const core = {
  name: 'core',
  test: new RegExp(
    [
      'node_modules/(react|react-dom|scheduler|zod|nanostores|@nanostores|react-hot-toast|@astrojs/react)/',
      'src/design/(classes|toasts|carriedToast)\\.',
      'src/islands/lib/(api|request|send|session|ApiFailure|guard|next|query|resource|failureWords|useSession|signOut)\\.',
    ].join('|'),
  ),
}

export default defineConfig({
  site: site.origin,
  output: 'static',
  trailingSlash: 'never',
  build: { format: 'file' },
  devToolbar: { enabled: false },
  // Highlighted code carries inline styles, which the policy below refuses.
  markdown: { syntaxHighlight: false },
  integrations: [react(), mdx(), apiPageScript(), developmentPages(), sitemap(), socialPictures()],
  security: {
    csp: {
      directives: [
        "default-src 'self'",
        "img-src 'self' blob: data:",
        "object-src 'none'",
        "base-uri 'none'",
        "form-action 'self'",
        "require-trusted-types-for 'script'",
        // The one policy wraps an operator's notification, which the server has sanitised.
        'trusted-types evenkeel-notification',
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
    plugins: [leanContract()],
    build: { assetsInlineLimit: 0, modulePreload: { polyfill: false } },
    environments: {
      client: { build: { rolldownOptions: { output: { codeSplitting: { groups: [core] } } } } },
    },
    // `npm run dev` serves the pages from Astro and the API from the Worker, at one address.
    server: process.env.API_ORIGIN
      ? { proxy: { '^/(api|docs|dev)(/|$)': { target: process.env.API_ORIGIN } } }
      : {},
  },
})
