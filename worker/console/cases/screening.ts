import { type SQL, sql } from 'drizzle-orm'
import * as z from 'zod/mini'
import { type ScreeningRecord, screening } from '../../../src/contract/console/cases.ts'
import { toIso } from '../../http/paging.ts'
import { parseStored } from '../../lib/database.ts'

/** The field `screening` of a case with this id, for `parseScreening`: JSON; null if it was not screened. */
export function selectScreening(caseId: SQL): SQL<string | null> {
  return sql`(
    SELECT json_object('at', s.at, 'list', s.list, 'listDate', s.list_date, 'listHash', s.list_hash, 'address', s.address,
      'hits', s.hits, 'matches', json(s.matches))
    FROM screenings s WHERE s.subject = ${caseId} ORDER BY s.seq DESC LIMIT 1)`
}

const storedScreening = z.extend(screening, { at: z.number() })

export function parseScreening({
  screening: json,
}: {
  readonly screening: string | null
}): ScreeningRecord | null {
  if (json === null) return null
  const found = parseStored(storedScreening, json)
  return { ...found, at: toIso(found.at) }
}
