import { expect, test } from 'vitest'
import { isWritten } from '../scripts/immutable.mjs'
import { findSurvivors, isAccepted, isAnswer, readCases } from './simulator/triggers/cases.ts'
import { EQUIVALENTS } from './simulator/triggers/equivalents.ts'
import { openStage, readSchema } from './simulator/triggers/scenario.ts'

const schema = readSchema()
const all = readCases(schema)

test('every trigger answers its cases as they say', () => {
  for (const trigger of schema.triggers) {
    const stage = openStage(schema, trigger, trigger.sql)
    for (const { scenario, answer, title } of all.get(trigger.name) ?? []) {
      const given = stage.answer(scenario)
      if (!isAnswer(given, answer)) expect(given, title).toBe(answer)
    }
    stage.close()
  }
})

test('every trigger refuses a case and accepts a case, unless it always or never refuses', () => {
  const neverRefusing = EQUIVALENTS.filter(({ change }) => change.includes('[RAISE')).map(
    ({ trigger }) => trigger,
  )
  const missing = schema.triggers.flatMap(({ name, sql }) => {
    const answers = (all.get(name) ?? []).map(isAccepted)
    const alwaysRefuses = / BEGIN SELECT RAISE\(ABORT, '[^']*'\); END$/.test(sql) && !/ WHEN /.test(sql)
    const refuses = sql.includes('RAISE(ABORT') && !neverRefusing.includes(name)
    return (answers.includes(true) || alwaysRefuses) && (answers.includes(false) || !refuses) ? [] : [name]
  })
  expect(missing).toEqual([])
})

test('every refusal is a code or names its table and a rule', () => {
  const others = schema.triggers.flatMap(({ name, table, sql }) =>
    [...sql.matchAll(/RAISE ?\(ABORT, '([^']*)'/g)]
      .map(([, message = '']) => message)
      .filter((message) => !/^(?:[a-z_]+|UNIQUE constraint failed: [a-z_.]+)$/.test(message))
      .filter((message) => !message.startsWith(`${table}: `) || message.split(' ').length > 9)
      .map((message) => `${name}: ${message}`),
  )
  expect(others).toEqual([])
})

test('the migration of immutable rows and columns is what its lists say', () => {
  expect(isWritten(), 'run node scripts/immutable.mjs').toBe(true)
})

test('every refusal and comparison of a trigger is noticed by a case when it changes, unless no row could show it', () => {
  const unnoticed = schema.triggers.flatMap((trigger) =>
    findSurvivors(schema, trigger, all.get(trigger.name) ?? []).map(
      ({ change }) => `${trigger.name}: ${change}`,
    ),
  )
  const equivalent = EQUIVALENTS.map(({ trigger, change }) => `${trigger}: ${change}`)
  expect(unnoticed.toSorted()).toEqual(equivalent.toSorted())
}, 300_000)
