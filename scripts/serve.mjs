// The server process of `npm start`: `node scripts/serve.mjs <state directory>`. start.mjs starts it and sends its settings in a
// message. It ends when start.mjs ends.
import { join } from 'node:path'
import { convertV4MiniflareOptions, Log, LogLevel, Miniflare } from 'miniflare'
import { hashMigrations } from './backup/manifest.ts'
import { loadBundle } from './bundle.mjs'
import { openFront } from './front.mjs'
import { readSecrets } from './launch/secretValues.ts'
import { findFreePort } from './ports.mjs'
import { isRunning, listOwnRuntimes } from './processes.mjs'
import { root } from './toolchain.mjs'

process.env.WRANGLER_LOG ??= 'warn'

/**
 * @typedef {object} Settings
 * @property {number} port
 * @property {string} siteDirectory
 * @property {string} stateDirectory
 * @property {string} [workerDirectory] the Worker's bundle; without it, wrangler bundles the Worker, again after each change
 * @property {Record<string, string>} bindings
 *
 * @typedef {{ port: number, end: () => Promise<void> }} Runtime
 */

/** @type {() => void} */
let leave = () => process.exit()
process.once('disconnect', () => leave())
process.once('SIGTERM', () => leave())

process.once('message', (/** @type {Settings} */ settings) => {
  serve(settings).catch((error) => {
    console.error(error)
    process.exit(1)
  })
})

/** @param {Settings} settings */
async function serve({ workerDirectory, ...settings }) {
  const runtime = await (workerDirectory ? run(workerDirectory, settings) : watch(settings))
  leave = async () => {
    await Promise.race([runtime.end(), new Promise((resolve) => setTimeout(resolve, 5_000))])
    process.exit()
  }
  await openFront(settings.port, runtime.port)
  process.send?.('ready')
  if (workerDirectory) leaveWhenRuntimeDies()
}

/**
 * @param {string} workerDirectory
 * @param {Settings} settings
 * @returns {Promise<Runtime>}
 */
async function run(workerDirectory, { siteDirectory, stateDirectory, bindings }) {
  const worker = loadBundle(workerDirectory, siteDirectory)
  const miniflare = new Miniflare(
    convertV4MiniflareOptions({
      ...worker,
      bindings: { ...worker.bindings, ...readSecrets(join(root, '.dev.vars')), ...bindings },
      resourcePersistencePath: join(stateDirectory, 'v3'),
      host: '127.0.0.1',
      cf: false,
      telemetry: { enabled: false },
      unsafeTriggerHandlers: true,
      log: new Log(LogLevel.WARN),
      handleStructuredLogs: ({ level, message }) => {
        if (level === 'warn' || level === 'error') console.error(message)
      },
    }),
  )
  const { port } = await miniflare.ready
  return { port: Number(port), end: () => miniflare.dispose() }
}

/**
 * @param {Settings} settings
 * @returns {Promise<Runtime>}
 */
async function watch({ siteDirectory, stateDirectory, bindings }) {
  const { unstable_startWorker: startWorker } = await import('wrangler')
  const port = await findFreePort()
  const worker = await startWorker({
    config: join(root, 'wrangler.toml'),
    entrypoint: join(root, 'worker/dev/index.ts'),
    assets: siteDirectory,
    build: { define: { SCHEMA_HASH: JSON.stringify(await hashMigrations()) } },
    bindings: Object.fromEntries(
      Object.entries(bindings).map(([name, value]) => [
        name,
        { type: name === 'VAULT_KEYS' || name === 'MARKET_API_KEY' ? 'secret_text' : 'plain_text', value },
      ]),
    ),
    dev: {
      server: { hostname: '127.0.0.1', port, secure: false },
      inspector: false,
      watch: true,
      persist: stateDirectory,
      remote: false,
    },
  })
  await worker.ready
  return { port, end: () => worker.dispose() }
}

/** A killed runtime is not restarted, so the server would no longer answer. */
function leaveWhenRuntimeDies() {
  const runtimes = listOwnRuntimes()
  setInterval(() => runtimes.every(isRunning) || process.exit(1), 1_000)
}
