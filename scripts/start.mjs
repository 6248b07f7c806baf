// `npm start`: builds the site if its sources changed, prepares the local database and serves site and API.
// PORT, STATE_DIR and RATE_LIMITS are read from the environment. Several can run at once with different ones. `--busy` adds a busy day
// of 28 people to a fresh database.
import { fork } from 'node:child_process'
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { build, bundleWorker } from './build.mjs'
import { migrate, refuseOtherMigrations } from './migrate.mjs'
import { isFree } from './ports.mjs'
import { callWhenNpmEnds, endGroup, endLeftovers, forgetProcesses, recordProcesses } from './processes.mjs'
import { environment, getProgramPath, root, stateDirectory } from './toolchain.mjs'
import { ensureVaultKeys } from './vault-keys.mjs'

const port = Number(process.env.PORT || 8787)
const { values: options } = parseArgs({
  options: { watch: { type: 'boolean' }, origin: { type: 'string' }, busy: { type: 'boolean' } },
})
const address = options.origin ?? `http://localhost:${port}`
const api = `http://127.0.0.1:${port}`

/** @type {import('node:child_process').ChildProcess | undefined} */
let server
let ownsState = false
let isLeaving = false

for (const name of /** @type {const} */ (['SIGINT', 'SIGTERM', 'SIGHUP'])) process.on(name, () => leave(0))
if (process.env.npm_lifecycle_event) callWhenNpmEnds(() => leave(0))

start().catch((error) => {
  console.error(error instanceof Error ? error.message : error)
  return leave(1)
})

async function start() {
  if (!Number.isInteger(port) || port < 1 || port > 65_535)
    throw new Error(`PORT is no port: ${process.env.PORT}`)
  // Started first, so that it loads its modules during the checks and the build.
  const child = startServer()
  const applied = await refuseOtherMigrations(stateDirectory)
  mkdirSync(stateDirectory, { recursive: true })
  await endLeftovers(stateDirectory)
  if (!(await isFree(port))) throw new Error(`Port ${port} is taken. Try another: PORT=${port + 1} npm start`)
  ownsState = true
  recordProcesses(stateDirectory, { starter: process.pid, server: child.pid })
  const siteDirectory = join(stateDirectory, options.watch ? 'no-site' : 'site')
  const workerDirectory = options.watch ? undefined : join(stateDirectory, 'worker')
  mkdirSync(siteDirectory, { recursive: true })
  await Promise.all([
    migrate(stateDirectory, applied),
    workerDirectory && bundleWorker(workerDirectory),
    workerDirectory && build('development', { copyTo: siteDirectory }),
  ])
  await serve(child, siteDirectory, workerDirectory)
  const seeded = await fetch(`${api}/api/v1/dev/seed`, { method: 'POST' })
  if (!seeded.ok)
    throw new Error(`The sample accounts were not made: ${seeded.status} ${await seeded.text()}`)
  if (options.busy) await seedBusyDay()
  printReady()
  setInterval(runScheduled, 60_000).unref()
  await runScheduled()
}

async function seedBusyDay() {
  const seeded = await fetch(`${api}/api/v1/dev/seed/busy`, { method: 'POST' })
  if (seeded.status === 409)
    throw new Error(
      'This database has other people, or the busy day already. Start without --busy, or with a new STATE_DIR: STATE_DIR=/tmp/busy npm start -- --busy',
    )
  if (!seeded.ok) throw new Error(`The busy day was not made: ${seeded.status} ${await seeded.text()}`)
}

function startServer() {
  const child = fork(join(root, 'scripts/serve.mjs'), [stateDirectory], {
    execPath: getProgramPath('node'),
    env: environment,
    detached: true,
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
  })
  server = child
  return child
}

/**
 * @param {import('node:child_process').ChildProcess} child
 * @param {string} siteDirectory
 * @param {string} [workerDirectory] see `Settings` of serve.mjs
 */
async function serve(child, siteDirectory, workerDirectory) {
  child.send({
    port,
    siteDirectory,
    stateDirectory,
    workerDirectory,
    bindings: {
      APP_ENV: 'development',
      PUBLIC_ORIGIN: address,
      RATE_LIMITS: process.env.RATE_LIMITS === 'off' ? 'off' : 'on',
      VAULT_KEYS: ensureVaultKeys(stateDirectory),
      // Only for development: its private key is in CONTRIBUTING.md.
      SCREENING_LIST: 'screening/sample-SDN.XML',
      KYC_RECOVERY_RECIPIENT: 'age16ppk02tscuz3rqrqrxahxnudmnu83nu80v4n7epqsnrf6cuj0d9q6vuarx',
      MARKET_BASE_URL: process.env.MARKET_BASE_URL ?? '',
      MARKET_API_KEY: process.env.MARKET_API_KEY ?? '',
      CANDLES_PROVIDER: process.env.CANDLES_PROVIDER ?? 'simulated',
      CANDLES_BASE_URL: process.env.CANDLES_BASE_URL ?? '',
      VENUE: process.env.VENUE ?? '',
      VENUE_BASE_URL: process.env.VENUE_BASE_URL ?? '',
      VENUE_KEY: process.env.VENUE_KEY ?? '',
      VENUE_SECRET: process.env.VENUE_SECRET ?? '',
      MARKET_PICTURE_HOSTS: process.env.MARKET_PICTURE_HOSTS ?? '',
      BITCOIN_SERVERS: process.env.BITCOIN_SERVERS ?? '',
      BITCOIN_NETWORK: process.env.BITCOIN_NETWORK ?? '',
      BITCOIN_CHECKPOINT: process.env.BITCOIN_CHECKPOINT ?? '',
      ETHEREUM_SERVERS: process.env.ETHEREUM_SERVERS ?? '',
      ETHEREUM_CHAIN_ID: process.env.ETHEREUM_CHAIN_ID ?? '',
      ETHEREUM_TOKENS: process.env.ETHEREUM_TOKENS ?? '',
    },
  })
  await new Promise((ready, failed) => {
    child.once('message', ready)
    child.once('exit', () => failed(new Error('The server could not start, see above.')))
  })
  child.removeAllListeners('exit')
  child.once('exit', (code) => {
    if (isLeaving) return
    console.error(`The server has stopped (${code}).`)
    leave(1)
  })
}

/** Only production runs the cron by itself. */
async function runScheduled() {
  try {
    const response = await fetch(`${api}/cdn-cgi/local/scheduled?cron=${encodeURIComponent('* * * * *')}`)
    if (!response.ok) console.error(`The scheduled work failed: ${response.status} ${await response.text()}`)
  } catch (error) {
    if (!isLeaving) console.error('The scheduled work could not be started:', error)
  }
}

function printReady() {
  console.log(`
The site is ready: ${address}

  Mail it sends     ${address}/dev/mailbox
  API               ${address}/docs
  Accounts          investor@example.com    verified, identity approved, some history
                    newcomer@example.com    verified, nothing else
                    operator@example.com    operators, second factor on
                    operator2@example.com
                    auditor@example.com     reads all, changes nothing; the same second factor
                    support@example.com     answers messages; compliance@example.com: notes, freezes
  Password          correct-horse-battery-staple
  Second factor     JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP
  Reviewers' keys   sample passphrase of development

  Its data is in ${stateDirectory}. Ctrl-C ends it.
`)
}

/** Ends the server and everything it started, then this process. @param {number} code */
async function leave(code) {
  if (isLeaving) return
  isLeaving = true
  if (server?.pid) await endGroup(server.pid)
  if (ownsState) forgetProcesses(stateDirectory)
  process.exit(code)
}
