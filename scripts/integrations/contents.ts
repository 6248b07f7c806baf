import type { AstroIntegration } from 'astro'
import { type Plugin, parseSync, Visitor } from 'vite'
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

/** Lets a file of a group hold the code of an island, which the groups without their imports need. Astro asks for the opposite. */
export function extendableEntries(): Plugin {
  return {
    name: 'extendable-entries',
    applyToEnvironment: (environment) => environment.name === 'client',
    options: (options) => ({ ...options, preserveEntrySignatures: 'allow-extension' }),
  }
}

/** Parts of an endpoint that only the Worker and the API's documentation use. */
const SERVER_PARTS: ReadonlySet<string> = new Set([
  'summary',
  'query',
  'answer',
  'refusals',
  'limit',
  'audit',
])

/**
 * Removes those parts from the endpoints in the browser's scripts, and so the schemas and texts that only these parts use. A
 * screen calls an endpoint by its method and path, and checks a form by its `body`.
 */
export function browserEndpoints(): Plugin {
  return {
    name: 'browser-endpoints',
    applyToEnvironment: (environment) => environment.name === 'client',
    transform: {
      filter: { id: /\/src\/contract\/.*\.ts$/, code: 'endpoint(' },
      handler: (code) => ({ code: removeServerParts(code), map: null }),
    },
  }
}

/** A module without the server's parts of its `endpoint(…)` calls. `code` is JavaScript. */
export function removeServerParts(code: string): string {
  const removed: [start: number, end: number][] = []
  const visitor = new Visitor({
    CallExpression({ callee, arguments: [, , , details] }) {
      if (callee.type !== 'Identifier' || callee.name !== 'endpoint') return
      if (details?.type !== 'ObjectExpression') return
      for (const [index, part] of details.properties.entries())
        if (part.type === 'Property' && part.key.type === 'Identifier' && SERVER_PARTS.has(part.key.name))
          removed.push([part.start, details.properties[index + 1]?.start ?? details.end - 1])
    },
  })
  visitor.visit(parseSync('contract.js', code).program)
  return removed.reduceRight((text, [start, end]) => text.slice(0, start) + text.slice(end), code)
}
