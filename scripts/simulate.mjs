// `npm run simulate -- --seed 7 --years 1`: plays the whole platform under a seeded clock and seeded chance, and compares it with
// a plain model at each step (docs/simulator.md). `--defect NAME` plants one of simulator/defects.ts.
import { planted } from '../simulator/defects.ts'
import { loadWorkerModules } from '../simulator/lane/load.ts'

const parameters = process.argv.slice(2)
const at = parameters.indexOf('--defect')
const [, defect] = at < 0 ? [] : parameters.splice(at, 2)
loadWorkerModules(defect === undefined ? undefined : planted(defect))
const print = console.log.bind(console)
// Loaded only now, because it loads the Worker.
const { simulate } = await import('../simulator/command.ts')
process.exitCode = await simulate(parameters, print)
