import { loadWorkerModules } from '../../simulator/lane/load.ts'
import { openSqlite } from '../../simulator/lane/sqlite.ts'
import { addSamples, watchWrites } from '../../simulator/triggers/capture.ts'
import { allCases, readCases, writeCases } from '../../simulator/triggers/cases.ts'
import { EQUIVALENTS } from '../../simulator/triggers/equivalents.ts'
import { mutantsOf } from '../../simulator/triggers/mutants.ts'
import { readSchema } from '../../simulator/triggers/scenario.ts'
import { changed, searchCases, survivorsOf } from '../../simulator/triggers/search.ts'

/** Processor time for one trigger, ms. */
const SEARCH_MS = 10_000
const RUNS = /** @type {const} */ ([
  { seed: 3, faults: 'none' },
  { seed: 5, faults: 'storm' },
])
const SIZE = { days: 40, investors: 24, haste: 4 }

/**
 * Leaves out each refusal of every trigger, turns each comparison into its opposite and moves each bound, one at a time, and plays the
 * trigger's cases. Prints the changes that no case notices. With `--search` it first looks for cases that notice them, in what
 * the simulator does. Returns whether everything was noticed.
 *
 * @param {readonly string[]} parameters names of triggers; all without any
 */
export async function mutateTriggers(parameters) {
  const names = parameters.filter((each) => !each.startsWith('--'))
  const schema = readSchema()
  const chosen = schema.triggers.filter(({ name }) => names.length === 0 || names.includes(name))
  const isSearching = parameters.includes('--search')
  const captured = isSearching ? await capture(schema) : new Map()
  const recorded = new Map(readCases())
  const all = allCases(schema)
  let count = 0
  let noticed = 0
  const equivalent = new Set(EQUIVALENTS.map(({ trigger, change }) => `${trigger}: ${change}`))
  for (const trigger of chosen) {
    const known = all.get(trigger.name) ?? []
    let survivors = survivorsOf(schema, trigger, known).filter(
      ({ change }) => !equivalent.has(`${trigger.name}: ${change}`),
    )
    if (isSearching && survivors.length > 0) {
      const played = known.flatMap(({ scenario, cases }) =>
        cases.map(({ changes }) => changed(scenario, changes)),
      )
      const bases = [...played, ...(captured.get(trigger.name) ?? [])]
      const found = searchCases(schema, trigger, survivors, bases, SEARCH_MS)
      const kept = [...(recorded.get(trigger.name) ?? []), ...found.situations]
      if (found.situations.length > 0) writeCases(recorded.set(trigger.name, kept))
      survivors = [...found.survivors]
    }
    for (const { change } of survivors) console.log(`NOT NOTICED  ${trigger.name}: ${change}`)
    count += mutantsOf(trigger.sql).length
    noticed += mutantsOf(trigger.sql).length - survivors.length
  }
  console.log(`${noticed} of ${count} changes of ${chosen.length} triggers noticed or equivalent`)
  return noticed === count
}

/**
 * What the simulator writes, by trigger.
 *
 * @param {import('../../simulator/triggers/scenario.ts').Schema} schema
 */
async function capture(schema) {
  loadWorkerModules()
  const { run } = await import('../../simulator/run.ts')
  const captured = { scenarios: new Map(), seen: new Map() }
  for (const options of RUNS)
    await run({
      ...SIZE,
      ...options,
      isSynchronous: true,
      open: (surroundings) => {
        /** @type {import('node:sqlite').DatabaseSync | undefined} */
        let sqlite
        const opened = openSqlite(surroundings, (database) => {
          sqlite = database
          watchWrites(database, schema, surroundings.now, captured)
        })
        const close = () => {
          if (sqlite) addSamples(sqlite, schema, surroundings.now(), captured)
          opened.close()
        }
        return { ...opened, close }
      },
    })
  return captured.scenarios
}
