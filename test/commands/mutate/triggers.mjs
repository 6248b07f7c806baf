import { findSurvivors, readCases } from '../../simulator/triggers/cases.ts'
import { EQUIVALENTS } from '../../simulator/triggers/equivalents.ts'
import { buildMutants } from '../../simulator/triggers/mutants.ts'
import { readSchema } from '../../simulator/triggers/scenario.ts'

/**
 * Leaves out each refusal of every trigger, turns each comparison into its opposite and moves each bound, one at a time, and plays the
 * trigger's cases. Prints the changes that no case notices. Returns whether everything was noticed.
 *
 * @param {readonly string[]} names names of triggers; all without any
 */
export async function mutateTriggers(names) {
  const schema = readSchema()
  const all = readCases(schema)
  const chosen = schema.triggers.filter(({ name }) => names.length === 0 || names.includes(name))
  const equivalent = new Set(EQUIVALENTS.map(({ trigger, change }) => `${trigger}: ${change}`))
  const survivors = chosen.flatMap((trigger) =>
    findSurvivors(schema, trigger, all.get(trigger.name) ?? [])
      .map(({ change }) => `${trigger.name}: ${change}`)
      .filter((change) => !equivalent.has(change)),
  )
  for (const change of survivors) console.log(`NOT NOTICED  ${change}`)
  const count = chosen.reduce((sum, { sql }) => sum + buildMutants(sql).length, 0)
  console.log(
    `${count - survivors.length} of ${count} changes of ${chosen.length} triggers noticed or equivalent`,
  )
  return survivors.length === 0
}
