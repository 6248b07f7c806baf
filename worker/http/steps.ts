import { type SQL, sql } from 'drizzle-orm'
import * as z from 'zod/mini'
import { CASE_STEPS, type CaseStep, stepName } from '../../src/contract/console/cases.ts'
import { parseStored } from '../lib/database.ts'
import type { ActorCall } from './call.ts'
import type { Columns } from './csv.ts'
import { toIso } from './paging.ts'

/** A step of a case. `atMs` in epoch milliseconds. */
export function toStep(
  step: CaseStep['step'],
  atMs: number,
  id: string | null,
  name: string | null,
  note: string | null = null,
): CaseStep {
  const by = id === null ? null : { _id: id, name: name ?? '' }
  return { step, at: toIso(atMs), by, ...(note !== null && { note }) }
}

interface SelectedStep {
  readonly step: CaseStep['step']
  /** Null in rows for which it was not taken. */
  readonly at: SQL
  /** The id of the person. */
  readonly by: SQL
  readonly note?: SQL
}

/** SQL of the steps of a row as JSON, for `parseSteps`. */
export function selectHistory(...steps: readonly SelectedStep[]): SQL<string> {
  const objects = steps.map(
    ({ step, at, by, note = sql`NULL` }) => sql`json_object(
      'step', ${sql.raw(`'${step}'`)}, 'at', ${at}, 'id', ${by}, 'note', ${note},
      'name', coalesce((SELECT display_name FROM users WHERE id = ${by}), iif(${by} = 'owner', 'the database owner', NULL)))`,
  )
  return sql<string>`json_array(${sql.join(objects, sql`, `)})`
}

const storedSteps = z.array(
  z.object({
    step: stepName,
    at: z.nullable(z.number()),
    id: z.nullable(z.string()),
    name: z.nullable(z.string()),
    note: z.nullable(z.string()),
  }),
)

/** Steps of a JSON array, null for none. */
export function parseSteps(json: string | null): CaseStep[] {
  if (json === null) return []
  return parseStored(storedSteps, json).flatMap(({ step, at, id, name, note }) =>
    at === null ? [] : [toStep(step, at, id, name, note)],
  )
}

/** The JSON of a row's steps with one that the caller takes now. */
export function addStep(
  json: string,
  step: CaseStep['step'],
  { actor, nowMs }: Pick<ActorCall, 'actor' | 'nowMs'>,
  note: string | null = null,
): string {
  const { id, displayName: name } = actor
  return JSON.stringify([...parseStored(storedSteps, json), { step, at: nowMs, id, name, note }])
}

/** The columns of a file that say who decided a case, and when. */
export function buildDecisionColumns<Facts>(toSteps: (facts: Facts) => readonly CaseStep[]): Columns<Facts> {
  return {
    'Decided by': (facts) => formatSteps(toSteps(facts)),
    'Decided (UTC)': (facts) => formatDecisionTime(toSteps(facts)),
  }
}

/** The operators' steps without the filing: “Proposed by Olga 2026-11-29T14:50:00.000Z; Credited by Omar 2026-11-29T14:52:00.000Z”. */
function formatSteps(steps: readonly CaseStep[]): string {
  return steps
    .filter(({ step }) => step !== 'filed')
    .map(({ step, by, at }) => `${CASE_STEPS[step]} by ${by?.name ?? 'nobody recorded'} ${at}`)
    .join('; ')
}

const DECISIONS: readonly CaseStep['step'][] = ['approved', 'credited', 'rejected', 'handled', 'returned']

/** When the decision that stands was taken. Empty without one. */
export function formatDecisionTime(steps: readonly CaseStep[]): string {
  const decision = steps.findLast(({ step }) => DECISIONS.includes(step))
  return decision === undefined || decision.step === 'returned' ? '' : decision.at
}
