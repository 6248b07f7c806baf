import { execFileSync } from 'node:child_process'
import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'

/** @typedef {{ starter: number, server?: number }} Recorded process ids; the server's is its process group's too. */

/** @param {string} stateDirectory @param {Recorded} processes */
export function recordProcesses(stateDirectory, processes) {
  writeFileSync(fileIn(stateDirectory), JSON.stringify(processes))
}

/** @param {string} stateDirectory */
export function forgetProcesses(stateDirectory) {
  rmSync(fileIn(stateDirectory), { force: true })
}

/**
 * Ends what an earlier start of this state has left behind after being killed.
 * Refuses when that start is still at work.
 *
 * @param {string} stateDirectory
 */
export async function endLeftovers(stateDirectory) {
  const recorded = readRecorded(stateDirectory)
  if (!recorded) return
  if (isOurs(recorded.starter, 'scripts/start.mjs')) {
    throw new Error(`The state in ${stateDirectory} is in use by process ${recorded.starter}.`)
  }
  if (recorded.server) await endGroup(recorded.server)
  forgetProcesses(stateDirectory)
}

/**
 * Ends the server and the runtimes it started: they share a process group. Asks first, then insists.
 *
 * @param {number} group
 */
export async function endGroup(group) {
  signal(membersOf(group), 'SIGTERM')
  for (let tries = 0; tries < 60 && membersOf(group).length > 0; tries++) await wait(100)
  signal(membersOf(group), 'SIGKILL')
}

/**
 * Only processes whose command line shows that they are this project's: a number may have been given anew.
 *
 * @param {number} group
 */
function membersOf(group) {
  return runningProcesses().filter(
    (running) => running.group === group && /scripts\/serve\.mjs|\/workerd|\/esbuild/.test(running.command),
  )
}

/** @param {number} pid @param {string} script */
function isOurs(pid, script) {
  return runningProcesses().some((running) => running.pid === pid && running.command.includes(script))
}

/** @typedef {{ pid: number, group: number, command: string }} Running */

/** @returns {Running[]} */
function runningProcesses() {
  return existsSync('/proc/self/stat') ? readProc() : askPs()
}

function readProc() {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .flatMap((name) => {
      try {
        const [state, , group] =
          readFileSync(`/proc/${name}/stat`, 'utf8').split(') ').at(-1)?.split(' ') ?? []
        const command = readFileSync(`/proc/${name}/cmdline`, 'utf8').replaceAll('\0', ' ')
        return state === 'Z' ? [] : [{ pid: Number(name), group: Number(group), command }]
      } catch {
        return []
      }
    })
}

function askPs() {
  return execFileSync('ps', ['-Ao', 'pid=,pgid=,args='], { encoding: 'utf8', maxBuffer: 2 ** 26 })
    .split('\n')
    .flatMap((line) => {
      const [, pid, group, command = ''] = /^\s*(\d+)\s+(\d+)\s+(.*)$/.exec(line) ?? []
      return pid ? [{ pid: Number(pid), group: Number(group), command }] : []
    })
}

/** @param {{ pid: number }[]} processes @param {NodeJS.Signals} name */
function signal(processes, name) {
  for (const { pid } of processes) {
    try {
      process.kill(pid, name)
    } catch {
      // It ended in the meantime.
    }
  }
}

/** @param {string} stateDirectory @returns {Recorded | undefined} */
function readRecorded(stateDirectory) {
  try {
    return JSON.parse(readFileSync(fileIn(stateDirectory), 'utf8'))
  } catch {
    return undefined
  }
}

/** @param {string} stateDirectory */
const fileIn = (stateDirectory) => join(stateDirectory, 'processes.json')
