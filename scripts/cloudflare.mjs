// `npm run cloudflare -- <command>`: runs the project's own wrangler, so that nobody runs another version of it. For example
// `npm run cloudflare -- secret put VAULT_KEYS` or `npm run cloudflare -- tail --format json`.
import { spawnSync } from 'node:child_process'
import { environment, program, root } from './toolchain.mjs'

const parameters = process.argv.slice(2)
if (parameters.slice(0, 3).join(' ') === 'd1 migrations apply' && parameters.includes('--remote')) {
  console.error(
    'Migrations reach the deployed database by `npm run migrate`: this command would cut their triggers.',
  )
  process.exitCode = 1
} else {
  const options = { cwd: root, env: environment, stdio: /** @type {const} */ ('inherit') }
  process.exitCode = spawnSync(program('wrangler'), parameters, options).status ?? 1
}
