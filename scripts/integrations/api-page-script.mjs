import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

// Its schema checker would try whether it may compile code, which the page's policy refuses and reports.
const SETTING = 'globalThis.__zod_globalConfig = { jitless: true };\n'

/**
 * Puts the script of the API page (Scalar's browser build) among the site's own files, since the page may
 * load nothing from elsewhere and the Worker's bundle is no place for 3 MB.
 *
 * @returns {import('astro').AstroIntegration}
 */
export function apiPageScript() {
  return {
    name: 'api-page-script',
    hooks: {
      'astro:build:done': async ({ dir }) => {
        const target = join(fileURLToPath(dir), 'docs-assets')
        await mkdir(target, { recursive: true })
        await writeFile(join(target, 'standalone.js'), SETTING + (await readFile(scalarScript(), 'utf8')))
      },
    },
  }
}

function scalarScript() {
  const main = fileURLToPath(import.meta.resolve('@scalar/api-reference'))
  return join(main.slice(0, main.lastIndexOf('dist')), 'dist/browser/standalone.js')
}
