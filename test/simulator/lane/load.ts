import { readFileSync } from 'node:fs'
import { registerHooks } from 'node:module'
import { fileURLToPath } from 'node:url'
import { hashMigrations } from '../../../scripts/backup/manifest.ts'

/** Changes the text of a source file before it is used. Returns null to leave it alone. */
export type Rewrite = (path: string, text: string) => string | null

// The Worker's bundler defines it.
Object.assign(globalThis, { SCHEMA_HASH: await hashMigrations() })

let rewrite: Rewrite = () => null

/**
 * Lets Node load the Worker: its compiled WebAssembly becomes a module, as the Worker's bundler does it. `planted` changes sources
 * and migrations on their way.
 */
export function loadWorkerModules(planted: Rewrite = () => null): void {
  rewrite = planted
  registerHooks({
    load(url, context, next) {
      if (url.endsWith('.wasm')) {
        const code = readFileSync(fileURLToPath(url)).toString('base64')
        return {
          format: 'module',
          shortCircuit: true,
          source: `export default new WebAssembly.Module(Buffer.from('${code}', 'base64'))`,
        }
      }
      if (!url.startsWith('file:') || url.includes('/node_modules/') || !url.endsWith('.ts'))
        return next(url, context)
      const path = fileURLToPath(url)
      const rewritten = rewrite(path, readFileSync(path, 'utf8'))
      return rewritten === null
        ? next(url, context)
        : { format: 'module-typescript', shortCircuit: true, source: rewritten }
    },
  })
}

/** The text of a migration, with what is planted in it. */
export function migrationText(path: string): string {
  const text = readFileSync(path, 'utf8')
  return rewrite(path, text) ?? text
}
