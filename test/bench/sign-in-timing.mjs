// Whether the time of a refused sign-in reveals that an address has an account. `node test/bench/sign-in-timing.mjs [tries]`
import { startPlatform } from './platform.mjs'

const TRIES = Number(process.argv[2] ?? 600)
const TOLERANCE = 0.05
// The first tries compile code and fill caches.
const WARM_UP = 40

const platform = await startPlatform('worker/dev/index.ts')
/** @type {{ known: number[], unknown: number[] }} */
const times = { known: [], unknown: [] }
for (let i = -WARM_UP; i < TRIES; i++) {
  // Alternates the two kinds and the order of each pair, so that other load on the machine affects both.
  const pair = /** @type {const} */ (i % 2 === 0 ? ['known', 'unknown'] : ['unknown', 'known'])
  for (const kind of pair) {
    // Both addresses have the same length.
    const email = kind === 'known' ? 'newcomer@example.com' : `n${String(i + 5_000_000)}@example.com`
    const began = performance.now()
    const response = await fetch(`${platform.address}/api/v1/auth/login`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify({ email, password: 'not-the-password' }),
    })
    await response.arrayBuffer()
    if (response.status !== 401) throw new Error(`A wrong sign-in was answered with ${response.status}`)
    if (i >= 0) times[kind].push(performance.now() - began)
  }
}
await platform.stop()

const known = median(times.known)
const unknown = median(times.unknown)
const difference = Math.abs(known - unknown) / Math.min(known, unknown)
console.log(`known address    median ${known.toFixed(2)} ms of ${times.known.length}`)
console.log(`unknown address  median ${unknown.toFixed(2)} ms of ${times.unknown.length}`)
console.log(
  `They differ by ${(difference * 100).toFixed(2)} %; the most allowed is ${TOLERANCE * 100} %: ${difference <= TOLERANCE ? 'met' : 'MISSED'}.`,
)
process.exitCode = difference <= TOLERANCE ? 0 : 1

/** @param {readonly number[]} values */
function median(values) {
  const sorted = values.toSorted((a, b) => a - b)
  const middle = Math.floor(sorted.length / 2)
  return sorted.length % 2 === 1
    ? (sorted[middle] ?? 0)
    : ((sorted[middle - 1] ?? 0) + (sorted[middle] ?? 0)) / 2
}
