import { type SQL, sql } from 'drizzle-orm'
import * as z from 'zod/mini'
import { CASE_STEPS, type CaseStep, stepName } from '../../src/contract/console/cases.ts'
import { parseStored } from '../lib/database.ts'
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

/** SQL of a step as JSON, for `parseSteps`. `by` is the alias of its person's row in `users`. */
export function selectStep(step: CaseStep['step'], at: SQL, by: string): SQL {
  const person = sql.identifier(by)
  return sql`json_object('step', ${sql.raw(`'${step}'`)}, 'at', ${at}, 'id', ${person}.id, 'name', ${person}.display_name)`
}

const storedSteps = z.array(
  z.object({ step: stepName, at: z.number(), id: z.string(), name: z.nullable(z.string()) }),
)

/** Steps of a JSON array, null for none. */
export function parseSteps(json: string | null): CaseStep[] {
  if (json === null) return []
  return parseStored(storedSteps, json).map(({ step, at, id, name }) => toStep(step, at, id, name))
}

/** All steps for a field of a file: “Proposed by Olga 2026-11-29T14:50:00.000Z; Credited by Omar 2026-11-29T14:52:00.000Z”. */
export function formatSteps(steps: readonly CaseStep[]): string {
  return steps
    .map(({ step, by, at }) => `${CASE_STEPS[step]} by ${by?.name ?? 'nobody recorded'} ${at}`)
    .join('; ')
}
