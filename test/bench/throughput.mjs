// Reads per second, and the database's share: an answer without the database, with one round trip (health), and with one that also
// looks up the session. They go in short rounds by turns, so that other work slows all of them alike; each figure is the median of
// its rounds. `node test/bench/throughput.mjs [rounds]`
import { measure, print, signIn, startPlatform } from './platform.mjs'

const rounds = Number(process.argv[2] ?? 30)
const ROUND_SECONDS = 0.5
const HEALTH = 'health: one'
const READS = /** @type {const} */ ([
  ['OPTIONS', '/health', 'OPTIONS: none'],
  ['GET', '/health', HEALTH],
  ['GET', '/users/user-info', 'user-info: one'],
  ['GET', '/transaction-history', 'first history page: one'],
])

const platform = await startPlatform('worker/dev/index.ts')
const headers = { Authorization: `Bearer ${await signIn(platform.address, 'investor@example.com')}` }
/** @type {Record<string, Awaited<ReturnType<typeof measure>>[]>} */
const measured = Object.fromEntries(READS.map(([, , name]) => [name, []]))
for (let round = 0; round < rounds; round++) {
  for (const [method, path, name] of READS) {
    const result = await measure(platform, { seconds: ROUND_SECONDS, atOnce: 32 }, () =>
      fetch(`${platform.address}/api/v1${path}`, { method, headers }),
    )
    // The first two rounds warm up the runtime.
    if (round > 1) measured[name]?.push(result)
  }
}
await platform.stop()

/** @param {string} name @param {'perSecond' | 'perCpuSecond' | 'medianMs' | 'p99Ms'} figure */
const median = (name, figure) => {
  const values = (measured[name] ?? []).map((result) => result[figure]).toSorted((a, b) => a - b)
  return values[values.length >> 1] ?? Number.NaN
}
print(
  Object.fromEntries(
    READS.map(([, , name]) => [
      name,
      {
        perSecond: median(name, 'perSecond'),
        '% of health': (100 * median(name, 'perSecond')) / median(HEALTH, 'perSecond'),
        perCpuSecond: median(name, 'perCpuSecond'),
        '% of health, CPU': (100 * median(name, 'perCpuSecond')) / median(HEALTH, 'perCpuSecond'),
        medianMs: median(name, 'medianMs'),
        p99Ms: median(name, 'p99Ms'),
      },
    ]),
  ),
)
