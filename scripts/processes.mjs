import { spawnSync } from 'node:child_process'
import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'

/** @typedef {{ starter: number, server?: number }} Recorded process ids; the server's is its process group's too. */

/** @param {string} stateDirectory @param {Recorded} processes */
export function recordProcesses(stateDirectory, processes) {
  writeFileSync(getProcessFile(stateDirectory), JSON.stringify(processes))
}

/** @param {string} stateDirectory */
export function forgetProcesses(stateDirectory) {
  rmSync(getProcessFile(stateDirectory), { force: true })
}

/**
 * Ends the processes that a killed `npm start` of this state left behind. Throws if that start is still running, after giving it
 * time to notice that its npm was killed.
 *
 * @param {string} stateDirectory
 */
export async function endLeftovers(stateDirectory) {
  const recorded = readRecorded(stateDirectory)
  if (!recorded) return
  for (let tries = 0; isOurs(recorded.starter, 'scripts/start.mjs'); tries++) {
    if (tries === 80)
      throw new Error(`The state in ${stateDirectory} is in use by process ${recorded.starter}.`)
    await wait(100)
  }
  if (recorded.server) await endGroup(recorded.server)
  forgetProcesses(stateDirectory)
}

/**
 * Ends the server and its runtimes, which share a process group, with SIGTERM, and after six seconds with SIGKILL.
 *
 * @param {number} group
 */
export async function endGroup(group) {
  sendSignal(listMembers(group), 'SIGTERM')
  for (let tries = 0; tries < 60 && listMembers(group).length > 0; tries++) await wait(100)
  sendSignal(listMembers(group), 'SIGKILL')
}

/** The process ids of the runtimes that this process started, if it leads its own process group. */
export const listOwnRuntimes = () =>
  listMembers(process.pid)
    .filter(({ command }) => command.includes('/workerd'))
    .map(({ pid }) => pid)

/** @param {number} pid */
export const isRunning = (pid) => find(pid) !== undefined

/**
 * Calls back once when the npm that runs this process has ended. npm forwards the usual signals, but not SIGKILL, which the shell
 * between npm and this process survives.
 *
 * @param {() => void} callback
 */
export function callWhenNpmEnds(callback) {
  const parent = process.ppid
  const isShell = /^(\/\S+\/)?\w*sh -c /.test(find(parent)?.command ?? '')
  const npm = isShell ? find(parent)?.parent : undefined
  const timer = setInterval(() => {
    if (process.ppid === parent && (npm === undefined || find(parent)?.parent === npm)) return
    clearInterval(timer)
    callback()
  }, 500).unref()
}

/**
 * Only processes with this project's command line, because process ids are reused.
 *
 * @param {number} group
 */
function listMembers(group) {
  return listProcesses().filter(
    (running) => running.group === group && /scripts\/serve\.mjs|\/workerd|\/esbuild/.test(running.command),
  )
}

/** @param {number} pid @param {string} script */
const isOurs = (pid, script) => find(pid)?.command.includes(script) ?? false

/** @typedef {{ pid: number, parent: number, group: number, command: string }} Running */

// Slim Linux images have no `ps`, and every half second is too often to start one. The package tree-kill starts one for each process.
// It finds nothing once the starter was killed, and would kill a stranger that got a reused id.
const hasProc = existsSync('/proc/self/stat')

/** @returns {Running[]} */
function listProcesses() {
  if (!hasProc) return queryPs(['-A'])
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .flatMap((name) => readProc(Number(name)))
}

/** @param {number} pid @returns {Running | undefined} */
const find = (pid) => (hasProc ? readProc(pid) : queryPs(['-p', String(pid)]))[0]

/** Empty if it has ended. @param {number} pid @returns {Running[]} */
function readProc(pid) {
  try {
    // The program name comes first, in brackets, and may contain any character.
    const [state, parent, group] =
      readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ').at(-1)?.split(' ') ?? []
    const command = readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', ' ')
    return state === 'Z' ? [] : [{ pid, parent: Number(parent), group: Number(group), command }]
  } catch {
    return []
  }
}

/** @param {string[]} selection @returns {Running[]} */
function queryPs(selection) {
  const { stdout } = spawnSync('ps', [...selection, '-o', 'pid=,ppid=,pgid=,args='], { encoding: 'utf8' })
  return stdout.split('\n').flatMap((line) => {
    const [, pid, parent, group, command = ''] = /^\s*(\d+)\s+(\d+)\s+(\d+)\s+(.*)$/.exec(line) ?? []
    return pid ? [{ pid: Number(pid), parent: Number(parent), group: Number(group), command }] : []
  })
}

/** @param {{ pid: number }[]} processes @param {NodeJS.Signals} name */
function sendSignal(processes, name) {
  for (const { pid } of processes) {
    try {
      process.kill(pid, name)
    } catch {
      // It has ended in the meantime.
    }
  }
}

/** @param {string} stateDirectory @returns {Recorded | undefined} */
function readRecorded(stateDirectory) {
  try {
    return JSON.parse(readFileSync(getProcessFile(stateDirectory), 'utf8'))
  } catch {
    return undefined
  }
}

/** @param {string} stateDirectory */
const getProcessFile = (stateDirectory) => join(stateDirectory, 'processes.json')
