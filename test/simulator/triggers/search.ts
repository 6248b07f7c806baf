import { type Chance, chanceOf } from '../lane/chance.ts'
import { literalsOf, type Mutant, mutantsOf, wordsOf } from './mutants.ts'
import {
  type Cell,
  openStage,
  type Row,
  type Scenario,
  type Schema,
  type Stage,
  type Trigger,
} from './scenario.ts'

/**
 * A change of what is written or of a given row, by its number: other values, left out, or there so many times more. Each copy has its
 * number behind these values.
 */
export type Change =
  | { readonly row: 'write'; readonly set: Row }
  | { readonly row: number; readonly set: Row }
  | { readonly row: number; readonly copy: Row; readonly times: number }
  | { readonly row: number; readonly remove: true }

/** A scenario with some changes, and what the trigger answers. Rows in an answer may leave columns out that do not matter. */
export interface Case {
  readonly changes: readonly Change[]
  readonly answer: string
  /** What a case written by hand shows. */
  readonly shows?: string
}

/** A scenario and the cases that differ from it by a few changes. */
export interface Situation {
  readonly scenario: Scenario
  readonly cases: readonly Case[]
}

interface Found extends Case {
  readonly base: number
  readonly kills: readonly string[]
}

/** What a search found: situations to add, and the mutants that still answer as the trigger does. */
interface Searched {
  readonly situations: readonly Situation[]
  readonly survivors: readonly Mutant[]
}

const MOST_CHANGES = 6

/** The scenario with changes. */
export function changed(scenario: Scenario, changes: readonly Change[]): Scenario {
  const { given, write } = scenario
  const rows: (readonly [string, Row] | null)[] = [...given]
  let written = write
  for (const change of changes) {
    const { row } = change
    if (row === 'write') {
      if ('insert' in written) written = { ...written, insert: { ...written.insert, ...change.set } }
      else if ('update' in written) written = { ...written, update: { ...written.update, ...change.set } }
      continue
    }
    const [table, cells] = rows[row] ?? []
    if (table === undefined || cells === undefined) continue
    if ('remove' in change) rows[row] = null
    else if ('copy' in change) rows.push(...copiesOf(table, cells, change))
    else rows[row] = [table, { ...cells, ...change.set }]
  }
  return { ...scenario, given: rows.filter((row) => row !== null), write: written }
}

function copiesOf(
  table: string,
  cells: Row,
  { copy, times }: { readonly copy: Row; readonly times: number },
): readonly (readonly [string, Row])[] {
  return Array.from({ length: times }, (_, index) => {
    const numbered = Object.entries(copy).map(([name, value]) => [
      name,
      typeof value === 'number' ? value + index : `${value}${index}`,
    ])
    return [table, { ...cells, ...Object.fromEntries(numbered) }]
  })
}

/** Whether a trigger answered as a case says. */
export function isAnswer(given: string | null, expected: string): boolean {
  if (given === expected) return true
  const [lines, others] = [given?.split('\n') ?? [], expected.split('\n')]
  return (
    lines.length === others.length &&
    lines.every((line, index) => line === others[index] || areRows(line, others[index] ?? ''))
  )
}

function areRows(text: string, expected: string): boolean {
  if (!text.startsWith('[') || !expected.startsWith('[')) return false
  const [rows, others] = [text, expected].map((each) => JSON.parse(each) as Row[]) as [Row[], Row[]]
  return (
    rows.length === others.length &&
    others.every((other, index) =>
      Object.entries(other).every(
        ([name, cell]) => JSON.stringify(rows[index]?.[name]) === JSON.stringify(cell),
      ),
    )
  )
}

/** The mutants that answer all cases as the trigger does. */
export function survivorsOf(
  schema: Schema,
  trigger: Trigger,
  situations: readonly Situation[],
): readonly Mutant[] {
  const stage = openStage(schema, trigger, trigger.sql)
  const survivors = mutantsOf(trigger.sql).filter(({ sql }) => {
    stage.change(sql)
    return !situations.some(({ scenario, cases }) =>
      cases.some(({ changes, answer }) => !isAnswer(stage.answer(changed(scenario, changes)), answer)),
    )
  })
  stage.close()
  return survivors
}

/**
 * Looks for cases in which each of these mutants of a trigger answers otherwise than the trigger: it changes scenarios that gave a new
 * answer again, as fuzzers do that follow coverage.
 */
export function searchCases(
  schema: Schema,
  trigger: Trigger,
  mutants: readonly Mutant[],
  seen: readonly Scenario[],
  milliseconds: number,
): Searched {
  const original = openStage(schema, trigger, trigger.sql)
  const bases = seen.map((scenario) => withoutBystanders(scenario, original))
  const alive = new Map(mutants.map((mutant) => [mutant, openStage(schema, trigger, mutant.sql)]))
  const chance = chanceOf(trigger.name.length, trigger.name)
  const literals = literalsOf(trigger.sql)
  const { keys } = schema
  const words = wordsIn(trigger.sql)
  const found: Found[] = []
  const corpus: { base: number; changes: readonly Change[] }[] = []
  const answers = new Set<string>()
  /** Tries these changes on some mutants, or on all if they give a new answer. */
  const attempt = (base: number, changes: readonly Change[], some: readonly Mutant[] = []): void => {
    const scenario = changed(bases[base] as Scenario, changes)
    const answer = original.answer(scenario)
    if (answer === null) return
    const signature = `${base} ${answer.split('\n')[0]}`
    const isNew = !answers.has(signature)
    const kills: string[] = []
    for (const mutant of isNew || some.length === 0 ? [...alive.keys()] : some) {
      const stage = alive.get(mutant)
      if (stage === undefined || stage.answer(scenario) === answer) continue
      kills.push(mutant.change)
      stage.close()
      alive.delete(mutant)
    }
    if (kills.length > 0) found.push({ base, changes, answer, kills })
    if (!isNew && (kills.length === 0 || corpus.length > 200)) return
    answers.add(signature)
    corpus.push({ base, changes })
  }
  for (const base of bases.keys()) {
    corpus.push({ base, changes: [] })
    attempt(base, [])
  }
  const untilMs = spentMs() + milliseconds
  while (alive.size > 0 && corpus.length > 0 && spentMs() < untilMs) {
    const { base, changes } = chance.is(0.5)
      ? (corpus[chance.whole(0, corpus.length - 1)] as (typeof corpus)[number])
      : (corpus[
          corpus.length - 1 - chance.whole(0, Math.min(5, corpus.length - 1))
        ] as (typeof corpus)[number])
    const more: Change[] = []
    const targets = [...alive.keys()].slice(chance.whole(0, alive.size - 1)).slice(0, 3)
    const near = wordsIn(targets[0]?.change ?? '')
    const count = chance.pick([1, 1, 1, 2, 2, 3])
    for (let each = 0; each < count; each++) {
      const change = randomChange(
        changed(bases[base] as Scenario, [...changes, ...more]),
        { words, near, literals, keys },
        chance,
      )
      if (change !== null) more.push(change)
    }
    // A row that is left out moves the numbers of those behind it, so it comes last and ends a chain.
    const all = [...changes, ...more]
    const leaving = all.findIndex((change) => 'remove' in change)
    if (all.length > MOST_CHANGES || (leaving >= 0 && leaving < all.length - 1)) continue
    attempt(base, all, targets)
  }
  const survivors = [...alive.keys()]
  for (const stage of alive.values()) stage.close()
  const situations = tidied({ schema, trigger, original, bases }, found)
  original.close()
  return { situations, survivors }
}

function wordsIn(sql: string): ReadonlySet<string> {
  return new Set(wordsOf(sql).map((word) => word.toLowerCase()))
}

/** Processor time of this process, ms: a busy machine finds the same. */
function spentMs(): number {
  return process.cpuUsage().user / 1000
}

/** Rows of a table that stay in a scenario although they make no difference yet. */
const MOST_BYSTANDERS = 3

/** The scenario with the rows that its answer needs, and a few others of each table: those that share most values with what is written. */
function withoutBystanders(scenario: Scenario, stage: Stage): Scenario {
  const answer = firstLine(stage.answer(scenario))
  const count = 'insert' in scenario.write ? 0 : 1
  const values = new Set([
    ...Object.values(written(scenario)),
    ...Object.values(scenario.given[0]?.[1] ?? {}),
  ])
  const shared = ([, cells]: readonly [string, Row]): number =>
    Object.values(cells).filter((cell) => typeof cell !== 'object' && values.has(cell)).length
  const others = scenario.given.slice(count).toSorted((a, b) => shared(b) - shared(a))
  let given = [...scenario.given.slice(0, count), ...others]
  for (let row = given.length - 1; row >= count; row--) {
    const table = given[row]?.[0]
    const before = given.slice(0, row).filter((each) => each[0] === table).length
    const fewer = given.filter((_, index) => index !== row)
    if (before >= MOST_BYSTANDERS && firstLine(stage.answer({ ...scenario, given: fewer })) === answer)
      given = fewer
  }
  return { ...scenario, given }
}

function firstLine(text: string | null): string | undefined {
  return text?.split('\n')[0]
}

/** What a random change chooses from. */
interface Choice {
  /** Columns that the trigger names. */
  readonly words: ReadonlySet<string>
  /** Columns beside the comparison that a mutant changed. */
  readonly near: ReadonlySet<string>
  readonly literals: readonly (string | number)[]
  readonly keys: Schema['keys']
}

function randomChange(
  { at, given, write }: Scenario,
  { words, near, literals, keys }: Choice,
  chance: Chance,
): Change | null {
  const written = 'insert' in write ? write.insert : 'update' in write ? write.update : null
  const rows: readonly (readonly [number | 'write', Row])[] = [
    ...(written === null
      ? []
      : ([
          ['write', written],
          ['write', written],
        ] as const)),
    ...given.map(([, row], index) => [index, row] as const),
  ]
  if (rows.length === 0) return null
  const [row, cells] = chance.pick(rows as [(typeof rows)[number], ...typeof rows])
  if (row !== 'write' && row > 0 && chance.is(0.08)) return { row, remove: true }
  if (row !== 'write' && chance.is(0.15)) {
    const names = (keys.get(given[row]?.[0] ?? '') ?? []).filter((name) => name in cells && chance.is(0.7))
    const others = names.map((name) => {
      const old = cells[name]
      return [name, typeof old === 'number' ? old + 1000 + chance.whole(1, 30) : `${old}-`] as const
    })
    const limits = literals.filter((each) => typeof each === 'number' && each > 1 && each <= 100) as number[]
    const [limit = 1] = chance.is(0.5) ? limits.slice(chance.whole(0, Math.max(0, limits.length - 1))) : []
    return { row, copy: Object.fromEntries(others), times: Math.max(1, limit - chance.whole(0, 2)) }
  }
  // The write may set a column that it left alone.
  const isUpdate = row === 'write' && 'update' in write
  const columns = Object.keys(isUpdate ? { ...given[0]?.[1], ...cells } : cells)
  const wanted = chance.is(0.6) ? near : words
  const named = columns.filter((column) => wanted.has(column))
  const candidates = named.length > 0 && chance.is(0.9) ? named : columns
  if (candidates.length === 0) return null
  const column = chance.pick(candidates as [string, ...string[]])
  const old = cells[column] ?? given[0]?.[1][column] ?? null
  const others = rows.flatMap(([, each]) => Object.values(each))
  const set = { [column]: randomCell(old, { at, literals, others }, chance) }
  return row === 'write' ? { row, set } : { row, set }
}

function randomCell(
  old: Cell,
  { at, literals, others }: { at: number; literals: readonly (string | number)[]; others: readonly Cell[] },
  chance: Chance,
): Cell {
  const any = [...literals, ...others] as [Cell, ...Cell[]]
  if (chance.is(0.1)) return null
  if (old === null || chance.is(0.35)) return any.length > 0 ? chance.pick(any) : at
  if (typeof old === 'number') {
    const numbers = any.filter((each) => typeof each === 'number')
    const base =
      chance.is(0.6) || numbers.length === 0 ? old : chance.pick(numbers as unknown as [number, ...number[]])
    const other = chance.pick([...numbers, 1, 2, 1000, at, at / 1000] as unknown as [number, ...number[]])
    const most = Number.MAX_SAFE_INTEGER
    return Math.floor(
      Math.max(
        -most,
        Math.min(
          most,
          chance.pick([
            base,
            base + 1,
            base - 1,
            -base,
            0,
            1,
            at,
            at + 1,
            at - 1,
            base + other,
            base - other,
            base * other,
            old * 2,
          ]),
        ),
      ),
    )
  }
  if (typeof old === 'string') return randomText(old, any, chance)
  const { hex } = old
  return {
    hex: chance.pick([
      hex.slice(2),
      `${hex}00`,
      '',
      hex.replace(/^../, 'ff'),
      hex.split('').reverse().join(''),
    ]),
  }
}

function randomText(old: string, any: readonly Cell[], chance: Chance): Cell {
  const texts = any.filter((each) => typeof each === 'string')
  if (/^[[{]/.test(old)) {
    const json = changedJson(old, any, chance)
    if (json !== null && chance.is(0.85)) return json
  }
  const other = texts.length > 0 ? chance.pick(texts as [string, ...string[]]) : 'x'
  const at = old.length > 0 ? chance.whole(0, old.length - 1) : 0
  const letter = chance.pick(['0', 'A', 'z', ' ', ':', '-', '.', 'é'])
  return chance.pick([
    '',
    `${old}x`,
    `${old}0`,
    ` ${old}`,
    old.slice(0, -1),
    old.slice(1),
    old.toUpperCase(),
    old.toLowerCase(),
    old.slice(0, at) + letter + old.slice(at + 1),
    other,
    other,
    `${old}:${other}`,
    `${other}:${old}`,
    `${old},${other}`,
    old.repeat(40),
    '[]',
    '{}',
  ])
}

/** The JSON text with one member or item changed, left out or added; null if it is no JSON. */
function changedJson(text: string, any: readonly Cell[], chance: Chance): string | null {
  try {
    const value = JSON.parse(text) as Record<string, unknown> | unknown[]
    const keys = Object.keys(value)
    const random = any.length > 0 ? chance.pick(any as [Cell, ...Cell[]]) : null
    if (Array.isArray(value)) {
      if (keys.length === 0 || chance.is(0.3)) return JSON.stringify([...value, random])
      if (chance.is(0.4)) return JSON.stringify(value.slice(1))
      return JSON.stringify(value.map((each, index) => (index === 0 ? random : each)))
    }
    const strings = any.filter((each) => typeof each === 'string')
    if (keys.length === 0 || chance.is(0.25))
      return JSON.stringify({
        ...value,
        [strings.length > 0 ? chance.pick(strings as [string, ...string[]]).replace(/^\$\./, '') : 'x']:
          random,
      })
    const key = chance.pick(keys as [string, ...string[]])
    const member = value[key]
    if (typeof member === 'object' && member !== null && chance.is(0.7)) {
      const inner = changedJson(JSON.stringify(member), any, chance)
      if (inner !== null) return JSON.stringify({ ...value, [key]: JSON.parse(inner) as unknown })
    }
    if (chance.is(0.3)) {
      const { [key]: _, ...rest } = value
      return JSON.stringify(rest)
    }
    const near =
      typeof member === 'number' ? chance.pick([member + 1, member - 1, -member, 0, random]) : random
    return JSON.stringify({ ...value, [key]: near })
  } catch {
    return null
  }
}

/** Leaves out cases that find nothing of their own, changes and rows that no case needs. */
function tidied(
  {
    schema,
    trigger,
    original,
    bases,
  }: { schema: Schema; trigger: Trigger; original: Stage; bases: readonly Scenario[] },
  found: readonly Found[],
): readonly Situation[] {
  const mutants = new Map(mutantsOf(trigger.sql).map(({ change, sql }) => [change, sql]))
  const stages = new Map<string, Stage>()
  const stageFor = (change: string): Stage => {
    const stage = stages.get(change) ?? openStage(schema, trigger, mutants.get(change) ?? trigger.sql)
    stages.set(change, stage)
    return stage
  }
  const finds = (scenario: Scenario, kills: readonly string[]): boolean => {
    const answer = original.answer(scenario)
    return answer !== null && kills.every((change) => stageFor(change).answer(scenario) !== answer)
  }
  const kept: Found[] = []
  // Later cases often notice what earlier ones do.
  const left = new Set(found.flatMap(({ kills }) => kills))
  for (const each of found.toReversed()) {
    if (!each.kills.some((kill) => left.has(kill))) continue
    const scenario = changed(bases[each.base] as Scenario, each.changes)
    const kills = [...left].filter((kill) => finds(scenario, [kill]))
    for (const kill of kills) left.delete(kill)
    kept.push({ ...each, kills })
  }
  const situations = [...new Set(kept.map(({ base }) => base))].map((base) => {
    const cases = kept.filter((each) => each.base === base).toReversed()
    return smaller({ scenario: bases[base] as Scenario, cases }, finds)
  })
  for (const stage of stages.values()) stage.close()
  return situations.map(({ scenario, cases }) => ({
    scenario,
    cases: cases.map(({ changes }) => ({
      changes,
      answer: original.answer(changed(scenario, changes)) ?? '',
    })),
  }))
}

interface Draft {
  readonly scenario: Scenario
  readonly cases: readonly Found[]
}

/** Leaves out the changes, rows and columns that no case needs, and gives ids short names. */
function smaller(draft: Draft, finds: (scenario: Scenario, kills: readonly string[]) => boolean): Draft {
  let { scenario, cases } = draft
  const accept = (next: Draft): boolean => {
    if (!next.cases.every(({ changes, kills }) => finds(changed(next.scenario, changes), kills))) return false
    scenario = next.scenario
    cases = next.cases
    return true
  }
  cases = cases.map((each) => {
    let { changes } = each
    for (let at = changes.length - 1; at >= 0; at--) {
      const fewer = changes.filter((_, index) => index !== at)
      if (finds(changed(scenario, fewer), each.kills)) changes = fewer
    }
    return { ...each, changes }
  })
  const first = 'insert' in scenario.write ? 0 : 1
  for (let row = scenario.given.length - 1; row >= first; row--) {
    if (cases.some(({ changes }) => changes.some((change) => change.row === row))) continue
    const given = scenario.given.filter((_, index) => index !== row)
    const moved = cases.map((each) => ({
      ...each,
      changes: each.changes.map((change) => movedUp(change, row)),
    }))
    accept({ scenario: { ...scenario, given }, cases: moved })
  }
  const isChanged = (row: number | 'write', name: string): boolean =>
    cases.some(({ changes }) =>
      changes.some(
        (change) =>
          change.row === row && name in ('set' in change ? change.set : 'copy' in change ? change.copy : {}),
      ),
    )
  for (const [row, [, cells]] of scenario.given.entries()) {
    // First all that are empty at once.
    const empty = Object.keys(cells).filter((name) => cells[name] === null && !isChanged(row, name))
    const left = accept({ scenario: without(scenario, row, empty), cases }) ? [] : empty
    const others = Object.keys(cells).filter((name) => cells[name] !== null && !isChanged(row, name))
    for (const name of [...left, ...others]) accept({ scenario: without(scenario, row, [name]), cases })
  }
  const { write } = scenario
  if (!('delete' in write)) {
    for (const name of Object.keys(written(scenario))) {
      if (isChanged('write', name)) continue
      const { [name]: _, ...rest } = written(scenario)
      if (Object.keys(rest).length === 0) continue
      accept({
        scenario: {
          ...scenario,
          write: 'insert' in write ? { ...write, insert: rest } : { ...write, update: rest },
        },
        cases,
      })
    }
  }
  const texts = new Set<string>()
  const visit = (change: (text: string) => string) => (_: string, value: unknown) =>
    typeof value === 'string' ? change(value) : value
  JSON.parse(
    JSON.stringify([scenario, cases.map(({ changes }) => changes)]),
    visit((text) => {
      for (const id of text.match(/(?=[\w-]*\d)[\w-]{16,}/g) ?? []) texts.add(id)
      return text
    }),
  )
  let count = 0
  for (const text of texts) {
    const short = `${String.fromCharCode(97 + (count % 26))}${count < 26 ? '' : Math.floor(count / 26)}`
    const renamed = <T>(value: T): T =>
      JSON.parse(
        JSON.stringify(value),
        visit((each) => each.replaceAll(text, short)),
      ) as T
    const moved = cases.map((each) => ({ ...each, changes: renamed(each.changes) }))
    if (accept({ scenario: renamed(scenario), cases: moved })) count += 1
  }
  return { scenario, cases }
}

function written({ write }: Scenario): Row {
  return 'insert' in write ? write.insert : 'update' in write ? write.update : {}
}

function without(scenario: Scenario, row: number, names: readonly string[]): Scenario {
  const given = scenario.given.map(([table, cells], index) => {
    const kept = Object.entries(cells).filter(([name]) => index !== row || !names.includes(name))
    return [table, Object.fromEntries(kept)] as const
  })
  return { ...scenario, given }
}

/** The change after a given row before its own one was left out. */
function movedUp(change: Change, without: number): Change {
  const { row } = change
  return typeof row === 'number' && row > without ? { ...change, row: row - 1 } : change
}
