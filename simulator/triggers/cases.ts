import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Situation } from './search.ts'

const FILE = join(import.meta.dirname, 'cases.json')

/** The recorded situations of each trigger. */
export function readCases(): ReadonlyMap<string, readonly Situation[]> {
  return new Map(JSON.parse(readFileSync(FILE, 'utf8')) as [string, Situation[]][])
}

/** Writes all situations, one given row and one case a line. */
export function writeCases(all: ReadonlyMap<string, readonly Situation[]>): void {
  const lines = (values: readonly unknown[], indent: string): string =>
    values.map((value) => `${indent}${JSON.stringify(value)}`).join(',\n')
  const situation = ({ scenario: { at, given, write }, cases }: Situation): string =>
    [
      `    { "scenario": { "at": ${at}, "write": ${JSON.stringify(write)}, "given": [`,
      ...(given.length > 0 ? [lines(given, '        ')] : []),
      '      ] }, "cases": [',
      lines(cases, '        '),
      '    ] }',
    ].join('\n')
  const triggers = [...all].map(
    ([name, situations]) => `  [${JSON.stringify(name)}, [\n${situations.map(situation).join(',\n')}\n  ]]`,
  )
  writeFileSync(FILE, `[\n${triggers.join(',\n')}\n]\n`)
}
