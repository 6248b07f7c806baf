// `npm run simulate -- --seed 7 --years 1`: plays the whole platform under a seeded clock and seeded chance, and compares it with
// a plain model at each step (docs/simulator.md).
import { loadWorkerModules } from '../simulator/lane/load.ts'

loadWorkerModules()
const print = console.log.bind(console)
const { simulate } = await import('../simulator/command.ts')
process.exitCode = await simulate(process.argv.slice(2), print)
