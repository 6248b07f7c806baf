// The server process of `npm start`: `node scripts/serve.mjs <state directory>`. start.mjs starts it and sends its settings in a
// message. It ends when start.mjs ends.
import { join } from 'node:path'
import { openFront } from './front.mjs'
import { freePort } from './ports.mjs'
import { isRunning, ownRuntimes } from './processes.mjs'
import { root } from './toolchain.mjs'

process.env.WRANGLER_LOG ??= 'warn'

/**
 * @typedef {{ port: number, siteDirectory: string, stateDirectory: string, watch: boolean, bindings: Record<string, string> }} Settings
 */

process.once('message', (/** @type {Settings} */ settings) => {
  serve(settings).catch((error) => {
    console.error(error)
    process.exit(1)
  })
})

/** @param {Settings} settings */
async function serve(settings) {
  const { unstable_startWorker: startWorker } = await import('wrangler')
  const runtimePort = await freePort()
  const worker = await startWorker({
    config: join(root, 'wrangler.toml'),
    entrypoint: join(root, 'worker/dev/index.ts'),
    assets: settings.siteDirectory,
    bindings: Object.fromEntries(
      Object.entries(settings.bindings).map(([name, value]) => [
        name,
        { type: name === 'VAULT_KEYS' || name === 'MARKET_API_KEY' ? 'secret_text' : 'plain_text', value },
      ]),
    ),
    dev: {
      server: { hostname: '127.0.0.1', port: runtimePort, secure: false },
      inspector: false,
      watch: settings.watch,
      persist: settings.stateDirectory,
      remote: false,
    },
  })
  const leave = async () => {
    await Promise.race([worker.dispose(), new Promise((resolve) => setTimeout(resolve, 5_000))])
    process.exit()
  }
  process.once('disconnect', leave)
  process.once('SIGTERM', leave)
  await worker.ready
  await openFront(settings.port, runtimePort)
  process.send?.('ready')
  if (!settings.watch) leaveWhenRuntimeDies()
}

/** Wrangler does not restart a killed runtime, so the server would no longer answer. */
function leaveWhenRuntimeDies() {
  const runtimes = ownRuntimes()
  setInterval(() => runtimes.every(isRunning) || process.exit(1), 1_000)
}
