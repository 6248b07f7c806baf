import { DEFECTS } from '../../simulator/defects.ts'
import { noticingTrigger } from './cases.mjs'
import { foundBy, runsFor } from './simulator.mjs'
import { openTests } from './tests.mjs'

/**
 * Plants each defect of test/simulator/defects.ts in turn. The tests that it names come first, then the cases of triggers for a defect of a
 * migration, then the runs of the simulator. Prints which test, case or rule found it. Returns whether all were found.
 *
 * @param {readonly string[]} names all defects without any
 */
export async function mutateDefects(names) {
  const chosen = DEFECTS.filter(({ name }) => names.length === 0 || names.includes(name))
  const tests = await openTests(chosen)
  let foundCount = 0
  try {
    for (const defect of chosen) {
      const { name, harm } = defect
      const test = await tests.noticing(defect)
      const found =
        test === null ? (caseOf(defect) ?? (await foundBy(name, runsFor(defect)))) : `test "${test}"`
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
