import { expect, test } from 'vitest'
import { readCases } from '../simulator/triggers/cases.ts'
import { EQUIVALENTS } from '../simulator/triggers/equivalents.ts'
import { mutantsOf } from '../simulator/triggers/mutants.ts'
import { openStage, readSchema } from '../simulator/triggers/scenario.ts'
import { changed, survivorsOf } from '../simulator/triggers/search.ts'

const schema = readSchema()
const recorded = readCases()

test('every trigger answers its recorded cases as recorded', () => {
  for (const trigger of schema.triggers) {
    const stage = openStage(schema, trigger, trigger.sql)
    for (const { scenario, cases } of recorded.get(trigger.name) ?? [])
      for (const { changes, answer } of cases)
        expect(
          stage.answer(changed(scenario, changes)),
          `${trigger.name}: ${JSON.stringify([scenario.write, changes])}`,
        ).toBe(answer)
    stage.close()
  }
})

test('recorded cases and equivalent changes are of triggers that there are', () => {
  const mutants = new Map(
    schema.triggers.map(({ name, sql }) => [name, mutantsOf(sql).map(({ change }) => change)]),
  )
  for (const name of recorded.keys()) expect(mutants.keys(), name).toContain(name)
  for (const { trigger, change } of EQUIVALENTS) expect(mutants.get(trigger), change).toContain(change)
})

test('the refusals and comparisons of accounts and custody are each noticed by a case when they change', () => {
  const equivalent = new Set(EQUIVALENTS.map(({ trigger, change }) => `${trigger}: ${change}`))
  const tables = ['accounts', 'custody_entries', 'custody_balances']
  const unnoticed = schema.triggers
    .filter(({ table }) => tables.includes(table))
    .flatMap((trigger) =>
      survivorsOf(schema, trigger, recorded.get(trigger.name) ?? []).map(
        ({ change }) => `${trigger.name}: ${change}`,
      ),
    )
  expect(unnoticed.filter((change) => !equivalent.has(change))).toEqual([])
})
