// Started by code.mjs: gets one mutant after the other, runs its neighbours, and answers with the test that fails, or null.
import { listNeighbours, readModules } from '../../mutants/neighbours.ts'
import { openTests } from './tests.mjs'

const modules = readModules()
const tests = await openTests()

/** The test that noticed the last mutant of a file, which probably notices the next one. @type {Map<string, string>} */
const last = new Map()

process.on('message', async (/** @type {import('../../mutants/generate.ts').Mutant} */ mutant) => {
  const likely = last.get(mutant.file)
  const files = [...(likely === undefined ? [] : [likely]), ...listNeighbours(modules, mutant)]
  const failed = await tests.findNoticingTest(mutant, [...new Set(files)])
  if (failed !== null) last.set(mutant.file, failed.file)
  process.send?.(failed?.name ?? null)
})

// The command was ended: so is everything that this process started.
process.on('disconnect', () => process.kill(-process.pid, 'SIGKILL'))
