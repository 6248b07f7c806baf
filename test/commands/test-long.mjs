// `npm run test:long`: runs the random tests longer, with a new seed. LONG_SEED=… repeats a run. Passes further parameters to
// vitest, such as the files to run.
import { start, waitForExit } from '../../scripts/toolchain.mjs'

const LONG_SEED = process.env.LONG_SEED ?? String(Math.floor(Math.random() * 2 ** 31))
console.log(`Seed ${LONG_SEED}. The same tries again: LONG_SEED=${LONG_SEED} npm run test:long`)
process.exitCode = await waitForExit(start('vitest', ['run', ...process.argv.slice(2)], { LONG_SEED }))
if (process.exitCode !== 0) console.log(`Failed with seed ${LONG_SEED}.`)
