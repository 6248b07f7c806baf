// `npm run test:long`: the random tests at length, from a new seed. LONG_SEED=… repeats a run; what follows the command goes
// to vitest, such as the files to run.
import { spawn } from 'node:child_process'
import { environment, program, root } from './toolchain.mjs'

const LONG_SEED = process.env.LONG_SEED ?? String(Math.floor(Math.random() * 2 ** 31))
console.log(`Seed ${LONG_SEED}. The same tries again: LONG_SEED=${LONG_SEED} npm run test:long`)
const child = spawn(program('vitest'), ['run', ...process.argv.slice(2)], {
  cwd: root,
  env: { ...environment, LONG_SEED },
  stdio: ['ignore', 'inherit', 'inherit'],
})
child.once('close', (code) => {
  if (code !== 0) console.log(`Failed with seed ${LONG_SEED}.`)
  process.exitCode = code ?? 1
})
