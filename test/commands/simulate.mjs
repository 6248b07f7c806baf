// `npm run simulate -- --seed 7 --years 1`: plays the whole platform under a seeded clock and seeded chance, and compares it with
// a plain model at each step (docs/simulator.md). `--defect NAME` plants one of test/simulator/defects.ts.
import { parseCommand } from '../simulator/settings.ts'

const print = console.log.bind(console)
const command = parseCommand(process.argv.slice(2))
if (typeof command === 'string') {
  print(command)
  process.exit(2)
}
// Loaded only now, because it reads the migrations, and later ones load the Worker.
const { loadWorkerModules } = await import('../simulator/lane/load.ts')
try {
  if (command.defect === null) loadWorkerModules()
  else {
    const { plantDefect } = await import('../simulator/defects.ts')
    loadWorkerModules(plantDefect(command.defect))
  }
} catch (error) {
  print(error instanceof Error ? error.message : error)
  process.exit(2)
}
const { simulate } = await import('../simulator/command.ts')
process.exitCode = (await simulate(command, print)) ? 0 : 1
