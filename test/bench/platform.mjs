// Runs the Worker's bundle in workerd on its own database, and measures it.
import { readdirSync, readFileSync } from 'node:fs'
import { startWorkerd } from '../../scripts/workerd.mjs'
import { newPicture } from '../support/picture.ts'

const PASSWORD = 'correct-horse-battery-staple'

/**
 * Starts an entry (`worker/dev/index.ts`, `bench/…`) with a migrated database. `seed` adds the sample accounts.
 *
 * @param {string} entry relative to the root
 * @param {{ seed?: boolean, inside?: string, isInspected?: boolean }} [options] see `startWorkerd`
 */
export async function startPlatform(entry, { seed = true, inside, isInspected } = {}) {
  const before = new Set(workerds())
  const { address, database, inspector, whileStopped, stop } = await startWorkerd(entry, {
    inside,
    isInspected,
  })
  if (seed) {
    const response = await fetch(`${address}/api/v1/dev/seed`, { method: 'POST' })
    if (!response.ok) throw new Error(`The sample accounts could not be made: ${response.status}`)
  }
  const processes = () => workerds().filter((pid) => !before.has(pid))
  return {
    address,
    database,
    inspector,
    whileStopped,
    processes,
    /** Seconds of processor time that workerd has used. NaN where `/proc` is missing. */
    cpuSeconds: () => {
      const pids = processes()
      return pids.length === 0 ? Number.NaN : pids.reduce((sum, pid) => sum + cpuOf(pid), 0)
    },
    stop,
  }
}

/** Signs in a sample account and returns its bearer token. @param {string} address @param {string} email */
export async function signIn(address, email) {
  const response = await fetch(`${address}/api/v1/auth/login`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', 'CF-Connecting-IP': '192.0.2.1' },
    body: JSON.stringify({ email, password: PASSWORD }),
  })
  const body = await response.json()
  if (!response.ok) throw new Error(`No sign-in: ${response.status} ${body.msg}`)
  return body.token
}

/**
 * Sends requests for some seconds, `atOnce` at a time, and returns their number, rates and times.
 *
 * @param {{ cpuSeconds: () => number }} platform
 * @param {{ seconds: number, atOnce: number }} load
 * @param {() => Promise<Response>} send
 */
export async function measure(platform, { seconds, atOnce }, send) {
  await expectOk(send)
  const cpu = platform.cpuSeconds()
  const started = performance.now()
  const end = started + seconds * 1000
  let requests = 0
  /** @type {number[]} */
  const times = []
  await Promise.all(
    Array.from({ length: atOnce }, async () => {
      while (performance.now() < end) {
        const sent = performance.now()
        await expectOk(send)
        times.push(performance.now() - sent)
        requests += 1
      }
    }),
  )
  const wallSeconds = (performance.now() - started) / 1000
  const cpuSeconds = platform.cpuSeconds() - cpu
  times.sort((a, b) => a - b)
  return {
    requests,
    perSecond: requests / wallSeconds,
    perCpuSecond: requests / cpuSeconds,
    cpuMs: (cpuSeconds * 1000) / requests,
    medianMs: times[Math.floor(times.length / 2)] ?? Number.NaN,
    p99Ms: times[Math.floor(times.length * 0.99)] ?? Number.NaN,
  }
}

/** A form with a picture, as receipts and documents are sent. @param {Record<string, string>} fields */
export function formOf(fields) {
  const data = new FormData()
  for (const [name, value] of Object.entries(fields)) data.set(name, value)
  data.set('image', newPicture(), 'picture.png')
  return data
}

/** Prints the rows as a table. @param {Record<string, Record<string, number | string>>} rows */
export function print(rows) {
  const rounded = Object.entries(rows).map(([name, row]) => [
    name,
    Object.fromEntries(
      Object.entries(row).map(([key, value]) => [
        key,
        typeof value === 'number' ? Number(value.toFixed(1)) : value,
      ]),
    ),
  ])
  console.table(Object.fromEntries(rounded))
}

/** @param {() => Promise<Response>} send */
async function expectOk(send) {
  const response = await send()
  const text = await response.text()
  if (!response.ok) throw new Error(`${response.status} ${text}`)
}

/** Ids of the workerd processes that this process started. */
function workerds() {
  try {
    return readdirSync('/proc')
      .filter((name) => /^\d+$/.test(name))
      .filter((pid) => {
        const [name, , parent] = statOf(pid)
        return name === 'workerd' && Number(parent) === process.pid
      })
  } catch {
    return []
  }
}

/** The name of a process and the fields after it in /proc/<pid>/stat. @param {string} pid */
function statOf(pid) {
  try {
    const [, name = '', rest = ''] = /\((.*)\) (.*)$/s.exec(readFileSync(`/proc/${pid}/stat`, 'utf8')) ?? []
    return [name, ...rest.trim().split(' ')]
  } catch {
    return []
  }
}

/** Seconds of user and system time, which Linux counts in hundredths. @param {string} pid */
function cpuOf(pid) {
  const fields = statOf(pid)
  return (Number(fields[12]) + Number(fields[13])) / 100
}
