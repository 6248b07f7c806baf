import { mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { root } from './toolchain.mjs'

/**
 * Runs `work` while no other process of this clone runs work under the same name. Takes over the lock of a dead process.
 *
 * @template T
 * @param {string} name
 * @param {() => T | Promise<T>} work
 */
export async function withLock(name, work) {
  const path = join(root, '.astro', `${name}.lock`)
  mkdirSync(dirname(path), { recursive: true })
  while (!take(path)) await wait(200)
  const release = () => rmSync(path, { force: true })
  process.once('exit', release)
  try {
    return await work()
  } finally {
    process.off('exit', release)
    release()
  }
}

/** @param {string} path */
function take(path) {
  try {
    writeFileSync(path, String(process.pid), { flag: 'wx' })
    return true
  } catch {
    if (isAbandoned(path)) rmSync(path, { force: true })
    return false
  }
}

/** No build or install takes longer. After that, the process id may belong to another program. */
const longestWorkMs = 15 * 60_000

/** @param {string} path */
function isAbandoned(path) {
  try {
    if (Date.now() - statSync(path).mtimeMs > longestWorkMs) return true
    const owner = readFileSync(path, 'utf8')
    return owner !== '' && !isAlive(Number(owner))
  } catch {
    return false
  }
}

/** @param {number} pid */
function isAlive(pid) {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    // EPERM: it is alive, but belongs to another user.
    return error instanceof Error && 'code' in error && error.code === 'EPERM'
  }
}
