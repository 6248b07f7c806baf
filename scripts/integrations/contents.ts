import type { AstroIntegration } from 'astro'
import type { Plugin } from 'vite'
import { root } from '../toolchain.mjs'

/** Adds the development pages in `npm run dev`, `npm start` and the tests. Their folder makes no routes by itself. */
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

/** Removes style sheets from lazy-loaded scripts. The build renders each page with all its parts, so its styles are complete. */
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
