import { DEFECTS } from '../../simulator/defects.ts'
import { noticingTrigger } from './cases.mjs'
import { foundBy, requireSoundRuns, runsFor } from './simulator.mjs'
import { openTests } from './tests.mjs'

/**
 * Plants each defect of simulator/defects.ts in turn and plays seeds until a rule is broken. A defect that names tests is planted for
 * them first. The recorded cases of triggers are played for what the runs miss. Prints which rule, test or case found it. Returns whether all were found.
 *
 * @param {readonly string[]} names all defects without any
 */
export async function mutateDefects(names) {
  const chosen = DEFECTS.filter(({ name }) => names.length === 0 || names.includes(name))
  const runs = new Map(chosen.flatMap(runsFor).map((run) => [run.join(' '), run]))
  requireSoundRuns([...runs.values()])
  const tests = await openTests(chosen)
  let foundCount = 0
  try {
    for (const defect of chosen) {
      const { name, harm } = defect
      const test = await tests.noticing(defect)
      const found = test === null ? (foundBy(name, runsFor(defect)) ?? caseOf(defect)) : `test "${test}"`
      if (found !== null) foundCount++
      console.log(`${(found ?? 'NOT FOUND').padEnd(30)}  ${name}: ${harm}`)
    }
  } finally {
    await tests.close()
  }
  console.log(`${foundCount} of ${chosen.length} found`)
  return foundCount === chosen.length
}

/** @param {import('../../simulator/defects/defect.ts').Defect} defect */
function caseOf({ name, file }) {
  const trigger = file.startsWith('migrations/') ? noticingTrigger(name) : null
  return trigger === null ? null : `case of ${trigger}`
}
