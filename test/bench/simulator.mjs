// Simulated days per second of processor time with 200 investors, at each level of failures. Starts no Worker.
// `npx node test/bench/simulator.mjs [days]`, 120 by default. Days at the end of ten years cost more than the first.
import { loadWorkerModules } from '../simulator/lane/load.ts'

loadWorkerModules()
const { run } = await import('../simulator/run.ts')
const { openSqlite } = await import('../simulator/lane/sqlite.ts')

const days = Number(process.argv[2] ?? 120)
const INVESTORS = 200

for (const faults of /** @type {const} */ (['none', 'some', 'storm'])) {
  const began = process.cpuUsage()
  const outcome = await run({
    seed: 1,
    days,
    investors: INVESTORS,
    faults,
    open: openSqlite,
    isSynchronous: true,
  })
  const { user, system } = process.cpuUsage(began)
  const seconds = (user + system) / 1e6
  const figures = [
    `${(days / seconds).toFixed(1)} days a second`,
    `${(outcome.requests / seconds).toFixed(0)} requests a second`,
    `${outcome.checks} rules checked`,
  ]
  console.log(`${faults.padEnd(6)} ${figures.join(', ')}`)
  if (outcome.failure !== null) {
    console.error(`Broken: ${outcome.failure.rule}`)
    process.exitCode = 1
  }
}
