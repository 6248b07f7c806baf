import { DEFECTS } from '../../simulator/defects.ts'
import { findBrokenRule } from './simulator.mjs'

/**
 * Plants each defect of test/simulator/defects.ts in turn and plays the simulator. Prints which rule found it. Returns whether all were
 * found.
 *
 * @param {readonly string[]} names all defects without any
 */
export async function mutateDefects(names) {
  const chosen = DEFECTS.filter(({ name }) => names.length === 0 || names.includes(name))
  let foundCount = 0
  for (const defect of chosen) {
    const rule = await findBrokenRule(defect)
    if (rule !== null) foundCount++
    console.log(`${(rule ?? 'NOT FOUND').padEnd(30)}  ${defect.name}: ${defect.harm}`)
  }
  console.log(`${foundCount} of ${chosen.length} found`)
  return foundCount === chosen.length
}
