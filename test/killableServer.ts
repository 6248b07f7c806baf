import { type ChildProcess, fork, spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { bundleWorker } from '../scripts/build.mjs'
import { migrate } from '../scripts/migrate.mjs'
import { findFreePort } from '../scripts/ports.mjs'
import { environment, getProgramPath, root } from '../scripts/toolchain.mjs'
import { ensureVaultKeys } from '../scripts/vault-keys.mjs'

/** The server of `npm start`, without the site and with its own state, which can be killed and started again. */
export interface KillableServer {
  readonly api: string
  start(): Promise<void>
  /** Sends SIGKILL to the workerd processes only. The server's own process then exits by itself. */
  killRuntimes(): Promise<void>
  /** Sends SIGKILL to all processes at once. */
  killAll(): Promise<void>
  /** Opens the database file. Call it only while the server is down. */
  openDatabase(): DatabaseSync
  /** Kills the server and removes its state. */
  remove(): Promise<void>
}

/** Prepares the state and picks a port. `start` starts the server. */
export async function killableServer(): Promise<KillableServer> {
  const stateDirectory = mkdtempSync(join(tmpdir(), 'platform-kill-'))
  const siteDirectory = join(stateDirectory, 'site')
  const workerDirectory = join(stateDirectory, 'worker')
  mkdirSync(siteDirectory)
  await bundleWorker(workerDirectory)
  const port = await findFreePort()
  const api = `http://127.0.0.1:${port}/api/v1`
  await migrate(stateDirectory)
  let server: ChildProcess | undefined

  async function start(): Promise<void> {
    const child = fork(join(root, 'scripts/serve.mjs'), [stateDirectory], {
      execPath: getProgramPath('node'),
      execArgv: [],
      env: environment,
      detached: true,
      stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
    })
    server = child
    child.send({
      port,
      siteDirectory,
      stateDirectory,
      workerDirectory,
      bindings: {
        APP_ENV: 'development',
        PUBLIC_ORIGIN: `http://localhost:${port}`,
        RATE_LIMITS: 'off',
        VAULT_KEYS: ensureVaultKeys(stateDirectory),
      },
    })
    await new Promise((ready, failed) => {
      child.once('message', ready)
      child.once('exit', () => failed(new Error('The server did not start')))
    })
    const seeded = await fetch(`${api}/dev/seed`, { method: 'POST' })
    if (!seeded.ok) throw new Error(`The sample accounts could not be made: ${seeded.status}`)
  }

  async function kill(pids: (leader: number) => number[]): Promise<void> {
    const child = server
    if (child?.pid === undefined) return
    const exited = new Promise((resolve) => child.once('exit', resolve))
    for (const pid of pids(child.pid)) process.kill(pid, 'SIGKILL')
    await exited
    server = undefined
  }

  const killAll = () => kill((leader) => [...runtimesOf(leader), leader])

  return {
    api,
    start,
    killRuntimes: () => kill(runtimesOf),
    killAll,
    openDatabase() {
      const folder = join(stateDirectory, 'v3/d1/miniflare-D1DatabaseObject')
      const file = readdirSync(folder).find((name) => /^[0-9a-f]{64}\.sqlite$/.test(name))
      if (file === undefined) throw new Error('The state holds no database')
      return new DatabaseSync(join(folder, file))
    },
    async remove() {
      await killAll()
      rmSync(stateDirectory, { recursive: true, force: true })
    },
  }
}

/** Ids of the workerd processes in the process group that the server leads. */
function runtimesOf(leader: number): number[] {
  if (!existsSync('/proc/self/stat')) {
    const { stdout } = spawnSync('pgrep', ['-g', String(leader), 'workerd'], { encoding: 'utf8' })
    return stdout.split('\n').filter(Boolean).map(Number)
  }
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map(Number)
    .filter((pid) => {
      try {
        const [, name, rest = ''] = /\((.*)\) (.*)$/s.exec(readFileSync(`/proc/${pid}/stat`, 'utf8')) ?? []
        return name === 'workerd' && Number(rest.split(' ')[2]) === leader
      } catch {
        return false
      }
    })
}
