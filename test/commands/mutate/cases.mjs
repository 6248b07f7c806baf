import { readFileSync } from 'node:fs'
import { planted } from '../../simulator/defects.ts'
import { allCases } from '../../simulator/triggers/cases.ts'
import { openStage, readSchema } from '../../simulator/triggers/scenario.ts'
import { changed, isAnswer } from '../../simulator/triggers/search.ts'

/**
 * The trigger whose cases notice a defect of a migration; null for none. `test/triggers.test.ts` plays the same cases.
 *
 * @param {string} name
 */
export function noticingTrigger(name) {
  const rewrite = planted(name)
  const schema = readSchema((path) => {
    const text = readFileSync(path, 'utf8')
    return rewrite(path, text) ?? text
  })
  const all = allCases(schema)
  for (const trigger of schema.triggers) {
    const stage = openStage(schema, trigger, trigger.sql)
    const isNoticed = (all.get(trigger.name) ?? []).some(({ scenario, cases }) =>
      cases.some(({ changes, answer }) => !isAnswer(stage.answer(changed(scenario, changes)), answer)),
    )
    stage.close()
    if (isNoticed) return trigger.name
  }
  return null
}
