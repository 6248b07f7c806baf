import type { Row, Scenario, Trigger } from '../scenario.ts'
import { type Change, changed, type Situation } from '../search.ts'

/** Cases of one trigger that were written by hand: rows with names, and what the trigger must do when some of them differ. */
export interface Written extends Pick<Scenario, 'write' | 'companions'> {
  readonly trigger: string
  /** Table and row, by the name that the cases use. An update or deletion is of the first one. */
  readonly given: Readonly<Record<string, readonly [string, Row]>>
  /** By what each shows. */
  readonly cases: Readonly<Record<string, readonly [Differences, Expected]>>
}

/** By the name of a given row, or `write` for what is written: other values, copies, or null for a row that is left out. */
type Differences = Readonly<Record<string, Row | Copies | null>>

interface Copies {
  /** Each copy has its number behind these values. */
  readonly copy: Row
  readonly times: number
  /** Other values of the row and its copies. */
  readonly set: Row
}

/**
 * `accepted`, or the text of the refusal, or what each table that the trigger writes has afterwards, in the order of its key. Columns
 * that are not named may have any value. Tables that are not named stay as they are, and their rows are given in this order too.
 */
type Expected = string | Readonly<Record<string, readonly Row[]>>

/** When all cases written by hand happen. */
export const NOW = Date.UTC(2026, 0, 15, 12)

/** The given row with some other values, and so many copies of it. */
export function copies(times: number, copy: Row, set: Row = {}): Copies {
  return { copy, times, set }
}

/** The cases in the form in which recorded ones are kept. */
export function situationOf({ given, write, companions, cases }: Written, trigger: Trigger): Situation {
  const names = Object.keys(given)
  const scenario: Scenario = { at: NOW, given: Object.values(given), write, companions }
  const changesOf = ([name, difference]: readonly [string, Row | Copies | null]): readonly Change[] => {
    if (name === 'write') return [{ row: 'write', set: difference as Row }]
    const row = names.indexOf(name)
    if (row < 0) throw new Error(`${trigger.name}: no given row is called ${name}`)
    if (difference === null) return [{ row, remove: true }]
    if (!isCopies(difference)) return [{ row, set: difference }]
    const { copy, times, set } = difference
    return [
      { row, set },
      { row, copy, times },
    ]
  }
  return {
    scenario,
    cases: Object.entries(cases).map(([shows, [differences, expected]]) => {
      const changes = Object.entries(differences).flatMap(changesOf)
      return { changes, answer: answerOf(expected, trigger, changed(scenario, changes)), shows }
    }),
  }
}

function isCopies(difference: Row | Copies): difference is Copies {
  return 'copy' in difference
}

function answerOf(expected: Expected, trigger: Trigger, { given }: Scenario): string {
  if (typeof expected === 'string' && expected !== 'accepted') return expected
  const named: Readonly<Record<string, readonly Row[]>> = typeof expected === 'string' ? {} : expected
  for (const table of Object.keys(named))
    if (!trigger.writes.includes(table)) throw new Error(`${trigger.name} does not write ${table}`)
  const rows = trigger.writes.map(
    (table) => named[table] ?? given.filter(([each]) => each === table).map(([, row]) => row),
  )
  return ['accepted', ...rows.map((each) => JSON.stringify(each))].join('\n')
}
