import { readFileSync } from 'node:fs'
import { registerHooks } from 'node:module'
import { fileURLToPath } from 'node:url'

/** Changes the source of a module while it is loaded. Returns null to leave it alone. */
export type Rewrite = (path: string, source: string) => string | null

/** Lets Node load the Worker: its compiled WebAssembly becomes a module, as the Worker's bundler does it. */
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
      const path = fileURLToPath(url)
      const rewritten = rewrite(path, readFileSync(path, 'utf8'))
      if (rewritten === null) return next(url, context)
      return { format: 'module-typescript', shortCircuit: true, source: rewritten }
    },
  })
}
