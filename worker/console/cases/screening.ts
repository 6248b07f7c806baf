import { type SQL, sql } from 'drizzle-orm'
import * as z from 'zod/mini'
import { type ScreeningRecord, screening } from '../../../src/contract/console/cases.ts'
import { toIso } from '../../http/paging.ts'
import { parseStored } from '../../lib/database.ts'

/** The field `screening` of a case with this id, for `parseScreening`: JSON; null if it was not screened. */
export function selectScreening(caseId: SQL): SQL<string | null> {
  return sql`(
    SELECT json_object('at', s.at, 'list', s.list, 'listDate', s.list_date, 'listHash', s.list_hash, 'address', s.address,
      'hits', s.hits, 'matches', json(s.matches), 'hit', iif(s.hits = 0, NULL, (
        SELECT json_object('_id', h.id, 'cleared', iif(h.cleared_at IS NULL, NULL, json_object('at', h.cleared_at,
          'by', (SELECT display_name FROM users WHERE id = h.cleared_by),
          'reason', coalesce((SELECT text FROM investor_notes WHERE id = h.note), ''))))
        FROM sanctions_hits h WHERE h.investor = s.investor ORDER BY h.seq DESC LIMIT 1)))
    FROM screenings s WHERE s.subject = ${caseId} ORDER BY s.seq DESC LIMIT 1)`
}

const storedScreening = z.extend(screening, {
  at: z.number(),
  hit: z.nullable(
    z.object({
      _id: z.string(),
      cleared: z.nullable(z.object({ at: z.number(), by: z.string(), reason: z.string() })),
    }),
  ),
})

export function parseScreening({
  screening: json,
}: {
  readonly screening: string | null
}): ScreeningRecord | null {
  if (json === null) return null
  const { hit, at, ...found } = parseStored(storedScreening, json)
  const cleared = hit?.cleared ? { ...hit.cleared, at: toIso(hit.cleared.at) } : null
  return { ...found, at: toIso(at), hit: hit && { _id: hit._id, cleared } }
}
