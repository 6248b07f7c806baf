import { readFileSync } from 'node:fs'
import { registerHooks } from 'node:module'
import { fileURLToPath } from 'node:url'
import { hashMigrations } from '../../../scripts/backup/manifest.ts'

/** The changed text of a source file; null for one that stays as it is. */
export type Rewrite = (path: string) => string | null

// The Worker's bundler defines it.
Object.assign(globalThis, { SCHEMA_HASH: await hashMigrations() })

/**
 * Lets Node load the Worker: its compiled WebAssembly becomes a module, as the Worker's bundler does it. `rewrite` changes sources on
 * their way.
 */
export function loadWorkerModules(rewrite: Rewrite = () => null): void {
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
      const rewritten = rewrite(fileURLToPath(url))
      return rewritten === null
        ? next(url, context)
        : { format: 'module-typescript', shortCircuit: true, source: rewritten }
    },
  })
}
