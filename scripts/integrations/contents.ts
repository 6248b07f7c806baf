import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { AstroIntegration } from 'astro'
import type { Plugin } from 'vite'
import { root } from '../toolchain.mjs'

/**
 * The pages for developers: in `npm run dev`, `npm start` and the tests, and in no other build. They stand in a folder
 * that makes no routes, so that they are left out by default.
 */
export function developmentPages(): AstroIntegration {
  return {
    name: 'development-pages',
    hooks: {
      'astro:config:setup': ({ command, injectRoute }) => {
        if (command !== 'dev' && process.env.BUILD_FOR !== 'development') return
        injectRoute({
          pattern: '/design',
          entrypoint: `${root}/src/pages/_site/design/page.astro`,
          prerender: true,
        })
      },
    },
  }
}

// The page's policy refuses eval, which zod would try otherwise, and the browser would report that.
const NO_EVAL = 'globalThis.__zod_globalConfig = { jitless: true };\n'

/**
 * Copies the script of the API page (Scalar's browser build) into the site: the page may load nothing from elsewhere, and
 * the Worker's bundle has no room for 3 MB.
 */
export function apiPageScript(): AstroIntegration {
  return {
    name: 'api-page-script',
    hooks: {
      'astro:build:done': async ({ dir }) => {
        const main = fileURLToPath(import.meta.resolve('@scalar/api-reference'))
        const script = join(main.slice(0, main.lastIndexOf('dist')), 'dist/browser/standalone.js')
        const target = join(fileURLToPath(dir), 'docs-assets')
        await mkdir(target, { recursive: true })
        await writeFile(join(target, 'standalone.js'), NO_EVAL + (await readFile(script, 'utf8')))
      },
    },
  }
}

/**
 * Keeps style sheets out of what the browser loads later. Each page is drawn at build time with everything that it may
 * load, so its own style sheets are complete.
 */
export function stylesOfPages(): Plugin {
  return {
    name: 'styles-of-pages',
    applyToEnvironment: (environment) => environment.name === 'client',
    generateBundle: {
      order: 'pre',
      handler(_, bundle) {
        for (const [name, item] of Object.entries(bundle)) {
          if (item.type === 'chunk') item.viteMetadata?.importedCss.clear()
          else if (name.endsWith('.css')) delete bundle[name]
        }
      },
    },
  }
}
