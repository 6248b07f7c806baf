// Sign-ins per second and core, and their cost without the password hash. `node test/bench/sign-in.mjs [seconds]`
import { measure, print, signIn, startPlatform } from './platform.mjs'

const ROUNDS = 6
const TARGET = 18
const load = { seconds: Number(process.argv[2] ?? 30) / ROUNDS / 2, atOnce: 4 }

const hash = await startPlatform('test/bench/hashWorker.ts', { seed: false })
const platform = await startPlatform('worker/dev/index.ts')
const body = JSON.stringify({ password: 'correct-horse-battery-staple' })

// Alternates, so that other load on the machine affects both.
const alone = []
const whole = []
for (let round = 0; round < ROUNDS; round++) {
  alone.push(await measure(hash, load, () => fetch(hash.address, { method: 'POST', body })))
  whole.push(
    await measure(platform, load, async () => {
      await signIn(platform.address, 'investor@example.com')
      return new Response()
    }),
  )
}
await hash.stop()
await platform.stop()

const hashed = median(alone)
const signedIn = median(whole)
print({ 'hash alone': hashed, 'whole sign-in': signedIn })
console.log(
  `Beside the hash a sign-in spends ${(signedIn.cpuMs - hashed.cpuMs).toFixed(1)} ms of processor time.`,
)
console.log(
  `${signedIn.perCpuSecond.toFixed(1)} sign-ins a second and core; the target is ${TARGET}: ${signedIn.perCpuSecond >= TARGET ? 'met' : 'MISSED'}.`,
)

/** The round with the median processor time. @param {typeof alone} rounds */
function median(rounds) {
  const sorted = rounds.toSorted((a, b) => a.cpuMs - b.cpuMs)
  return sorted[Math.floor(sorted.length / 2)]
}
