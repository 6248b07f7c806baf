import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { FIXED_COLUMNS } from '../../../scripts/immutable.mjs'
import { buildMutants, type Mutant } from './mutants.ts'
import { openStage, type Row, type Scenario, type Schema, type Trigger } from './scenario.ts'

/** A write among some rows, and what the trigger answers. */
export interface Case {
  readonly scenario: Scenario
  /** `accepted`, followed by the rows of the tables that the trigger writes, or the text of the refusal. Rows may leave columns out. */
  readonly answer: string
  /** What to print when it fails. */
  readonly title: string
}

/** Cases of one trigger as cases.json has them: rows with names, and what the trigger must do when some of them differ. */
interface Situation extends Pick<Scenario, 'write' | 'companions'> {
  readonly trigger: string
  /** The time of the write, epoch milliseconds. Default: `NOW`. */
  readonly at?: number
  /** Table and row, by the name that the cases use. An update or deletion is of the first one. Required columns are filled. */
  readonly given: Readonly<Record<string, readonly [string, Row]>>
  readonly cases: readonly (readonly [ExpectedAnswer, Differences?, string?])[]
}

/** By the name of a given row, or `write` for what is written: other values, copies, or null for a row that is left out. */
type Differences = Readonly<Record<string, Row | Copies | null>>

interface Copies {
  /** Other values of the row and its copies. */
  readonly set?: Row
  /** Each copy has its number behind these values. */
  readonly copy: Row
  readonly times: number
}

/**
 * `accepted`, or the text of the refusal, or what each table that the trigger writes has afterwards, in the order of its key. Columns
 * that are not named may have any value. Tables that are not named stay as they are, and their rows are given in this order too.
 */
type ExpectedAnswer = string | Readonly<Record<string, readonly Row[]>>

/** Noon on 15 January 2026. */
const NOW = Date.UTC(2026, 0, 15, 12)

/** The cases of each trigger, by its name. */
export function readCases(schema: Schema): ReadonlyMap<string, readonly Case[]> {
  const situations = JSON.parse(readFileSync(join(import.meta.dirname, 'cases.json'), 'utf8')) as Situation[]
  const all = new Map(schema.triggers.map((trigger) => [trigger.name, makeImmutableCases(schema, trigger)]))
  for (const situation of situations) {
    const { trigger: name } = situation
    const trigger = schema.triggers.find((candidate) => candidate.name === name)
    if (trigger === undefined) throw new Error(`Cases of a trigger that is not there: ${name}`)
    all.set(name, [...(all.get(name) ?? []), ...readSituation(situation, trigger)])
  }
  return all
}

function readSituation({ given, cases, ...situation }: Situation, trigger: Trigger): readonly Case[] {
  return cases.map(([expected, differences = {}, shows]) => {
    const unknown = Object.keys(differences).find((name) => name !== 'write' && !(name in given))
    if (unknown !== undefined) throw new Error(`${trigger.name}: no given row is called ${unknown}`)
    const rows = Object.entries(given).flatMap(([name, [table, row]]) =>
      changeRow(row, differences[name]).map((changed) => [table, changed] as const),
    )
    const write = changeWrite(situation.write, differences.write as Row | undefined)
    const scenario = { at: NOW, ...situation, given: rows, write }
    const title = `${trigger.name}: ${shows ?? JSON.stringify([situation.write, differences])}`
    return { scenario, answer: writeAnswer(expected, trigger, scenario), title }
  })
}

function changeRow(row: Row, difference: Row | Copies | null | undefined): readonly Row[] {
  if (difference === null) return []
  if (difference === undefined || !isCopies(difference)) return [{ ...row, ...difference }]
  const changed = { ...row, ...difference.set }
  const copies = Array.from({ length: difference.times }, (_, index) => {
    const numbered = Object.entries(difference.copy).map(([name, value]) => [
      name,
      typeof value === 'number' ? value + index : `${value}${index}`,
    ])
    return { ...changed, ...Object.fromEntries(numbered) }
  })
  return [changed, ...copies]
}

function isCopies(difference: Row | Copies): difference is Copies {
  return 'copy' in difference
}

function changeWrite(write: Scenario['write'], difference: Row | undefined): Scenario['write'] {
  if ('insert' in write) return { ...write, insert: { ...write.insert, ...difference } }
  return 'update' in write ? { ...write, update: { ...write.update, ...difference } } : write
}

function writeAnswer(expected: ExpectedAnswer, trigger: Trigger, { given }: Scenario): string {
  if (typeof expected === 'string' && expected !== 'accepted') return expected
  const named: Readonly<Record<string, readonly Row[]>> = typeof expected === 'string' ? {} : expected
  for (const table of Object.keys(named))
    if (!trigger.writes.includes(table)) throw new Error(`${trigger.name} does not write ${table}`)
  const rows = trigger.writes.map(
    (table) => named[table] ?? given.filter(([owner]) => owner === table).map(([, row]) => row),
  )
  return ['accepted', ...rows.map((list) => JSON.stringify(list))].join('\n')
}

/** The cases of the triggers that scripts/immutable.mjs writes: each protected column changes, and each other one. */
function makeImmutableCases({ columns }: Schema, { name, table, event, sql }: Trigger): readonly Case[] {
  const isFixing = name.endsWith('_fixed_columns')
  const fixed = isFixing ? (FIXED_COLUMNS[table] ?? '').split(' ') : []
  const reason = /: (?:immutable(?: columns| outside migrations)?|never deleted)(?=')/.exec(sql)
  if (!isFixing && name !== `${table}_no_${event.toLowerCase()}`) return []
  const answers = (columns.get(table) ?? []).map(({ name: column, isText }): [Row, string] => [
    { [column]: isText ? 'changed' : 1_000_000 },
    isFixing && !fixed.includes(column) ? 'accepted' : `${table}${reason}`,
  ])
  return answers.map(([row, answer]) => {
    const write =
      event === 'INSERT' ? { insert: row } : event === 'UPDATE' ? { update: row } : { delete: true as const }
    const given = event === 'INSERT' ? [] : [[table, {}] as const]
    return { scenario: { at: NOW, given, write }, answer, title: `${name}: ${JSON.stringify(write)}` }
  })
}

/** Whether the trigger lets the write of a case happen. */
export function isAccepted({ answer }: Case): boolean {
  return answer.startsWith('accepted')
}

/** Whether a trigger answered as a case says. */
export function isAnswer(given: string | null, expected: string): boolean {
  if (given === expected) return true
  const [lines, expectedLines] = [given?.split('\n') ?? [], expected.split('\n')]
  return (
    lines.length === expectedLines.length &&
    lines.every((line, index) => line === expectedLines[index] || areRows(line, expectedLines[index] ?? ''))
  )
}

function areRows(text: string, expected: string): boolean {
  if (!text.startsWith('[') || !expected.startsWith('[')) return false
  const [rows, expectedRows] = [text, expected].map((list) => JSON.parse(list) as Row[]) as [Row[], Row[]]
  return (
    rows.length === expectedRows.length &&
    expectedRows.every((row, index) =>
      Object.entries(row).every(
        ([name, cell]) => JSON.stringify(rows[index]?.[name]) === JSON.stringify(cell),
      ),
    )
  )
}

/** The mutants that answer all cases as the trigger does. */
export function findSurvivors(schema: Schema, trigger: Trigger, cases: readonly Case[]): readonly Mutant[] {
  const stage = openStage(schema, trigger, trigger.sql)
  // Most changes refuse what was accepted.
  const ordered = cases.toSorted((a, b) => Number(isAccepted(b)) - Number(isAccepted(a)))
  const survivors = buildMutants(trigger.sql).filter(({ sql }) => {
    stage.change(sql)
    return ordered.every(({ scenario, answer }) => isAnswer(stage.answer(scenario), answer))
  })
  stage.close()
  return survivors
}
