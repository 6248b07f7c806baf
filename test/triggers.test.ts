import { expect, test } from 'vitest'
import { allCases, readCases } from './simulator/triggers/cases.ts'
import { EQUIVALENTS } from './simulator/triggers/equivalents.ts'
import { mutantsOf } from './simulator/triggers/mutants.ts'
import { openStage, readSchema } from './simulator/triggers/scenario.ts'
import { changed, isAnswer, survivorsOf } from './simulator/triggers/search.ts'
import { WRITTEN } from './simulator/triggers/written.ts'

const schema = readSchema()
const all = allCases(schema)

test('every trigger answers its cases as they say', () => {
  for (const trigger of schema.triggers) {
    const stage = openStage(schema, trigger, trigger.sql)
    for (const { scenario, cases } of all.get(trigger.name) ?? [])
      for (const { changes, answer, shows } of cases) {
        const given = stage.answer(changed(scenario, changes))
        if (!isAnswer(given, answer))
          expect(given, `${trigger.name}: ${shows ?? JSON.stringify([scenario.write, changes])}`).toBe(answer)
      }
    stage.close()
  }
})

test('cases and equivalent changes are of triggers that there are', () => {
  const mutants = new Map(
    schema.triggers.map(({ name, sql }) => [name, mutantsOf(sql).map(({ change }) => change)]),
  )
  const named = [...readCases().keys(), ...WRITTEN.map(({ trigger }) => trigger)]
  for (const name of named) expect(mutants.keys(), name).toContain(name)
  for (const { trigger, change } of EQUIVALENTS) expect(mutants.get(trigger), change).toContain(change)
})

test('every refusal and comparison of a trigger is noticed by a case when it changes, unless no row could show it', () => {
  const unnoticed = schema.triggers.flatMap((trigger) =>
    survivorsOf(schema, trigger, all.get(trigger.name) ?? []).map(
      ({ change }) => `${trigger.name}: ${change}`,
    ),
  )
  const equivalent = EQUIVALENTS.map(({ trigger, change }) => `${trigger}: ${change}`)
  expect(unnoticed.toSorted()).toEqual(equivalent.toSorted())
})
