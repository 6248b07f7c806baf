// Started by code.mjs: gets one mutant after the other, runs its neighbours, and answers with the test that fails, or null.
import { listNeighbours, readModules } from '../../mutants/neighbours.ts'
import { openTests } from './tests.mjs'

const modules = readModules()
const tests = await openTests()

process.on('message', async (/** @type {import('../../mutants/generate.ts').Mutant} */ mutant) => {
  process.send?.(await tests.findNoticingTest(mutant, listNeighbours(modules, mutant)))
})

// The command was ended: so is everything that this process started.
process.on('disconnect', () => process.kill(-process.pid, 'SIGKILL'))
