import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Schema } from './scenario.ts'
import type { Situation } from './search.ts'
import { situationOf } from './written/situation.ts'
import { WRITTEN } from './written.ts'

const FILE = join(import.meta.dirname, 'cases.json')

/** The situations of each trigger: those written by hand, then the recorded ones. */
export function allCases(schema: Schema): ReadonlyMap<string, readonly Situation[]> {
  const recorded = readCases()
  return new Map(
    schema.triggers.map((trigger) => [
      trigger.name,
      [
        ...WRITTEN.filter((each) => each.trigger === trigger.name).map((each) => situationOf(each, trigger)),
        ...(recorded.get(trigger.name) ?? []),
      ],
    ]),
  )
}

/** The situations of each trigger that a search found. */
export function readCases(): ReadonlyMap<string, readonly Situation[]> {
  return new Map(JSON.parse(readFileSync(FILE, 'utf8')) as [string, Situation[]][])
}

/** Writes the situations that a search found, one given row and one case a line. */
export function writeCases(all: ReadonlyMap<string, readonly Situation[]>): void {
  const lines = (values: readonly unknown[], indent: string): string =>
    values.map((value) => `${indent}${JSON.stringify(value)}`).join(',\n')
  const situation = ({ scenario: { at, write, given, companions }, cases }: Situation): string =>
    [
      `    { "scenario": { "at": ${at}, "write": ${JSON.stringify(write)},`,
      ...(companions === undefined ? [] : [` "companions": ${JSON.stringify(companions)},`]),
      ' "given": [\n',
      ...(given.length > 0 ? [`${lines(given, '        ')}\n`] : []),
      '      ] }, "cases": [\n',
      `${lines(cases, '        ')}\n`,
      '    ] }',
    ].join('')
  const triggers = [...all].map(
    ([name, situations]) => `  [${JSON.stringify(name)}, [\n${situations.map(situation).join(',\n')}\n  ]]`,
  )
  writeFileSync(FILE, `[\n${triggers.join(',\n')}\n]\n`)
}
