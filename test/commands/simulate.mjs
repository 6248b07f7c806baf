// `npm run simulate -- --seed 7 --years 1`: plays the whole platform under a seeded clock and seeded chance, and compares it with
// a plain model at each step (docs/simulator.md). `--defect NAME` plants one of test/simulator/defects.ts.
import { parseArgs } from 'node:util'
import { loadWorkerModules } from '../simulator/lane/load.ts'

const { defect } = parseArgs({ options: { defect: { type: 'string' } }, strict: false }).values
const print = console.log.bind(console)
try {
  if (typeof defect !== 'string') loadWorkerModules()
  else {
    const { plantDefect } = await import('../simulator/defects.ts')
    loadWorkerModules(plantDefect(defect))
  }
} catch (error) {
  print(error instanceof Error ? error.message : error)
  process.exit(2)
}
// Loaded only now, because it loads the Worker.
const { simulate } = await import('../simulator/command.ts')
process.exitCode = await simulate(process.argv.slice(2), print)
