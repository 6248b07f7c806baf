import { sql } from 'drizzle-orm'
import type { Statement } from '../../lib/database.ts'
import { moneyParts } from './money.ts'
import type { Part } from './part.ts'
import { personParts } from './person.ts'

/** All personal data, in the order of the file. A table is in one of its parts, or in `NOT_PERSONAL`. */
export const PERSONAL_DATA: readonly Part[] = [...personParts, ...moneyParts]

export const DELETED_AT_CLOSING = PERSONAL_DATA.filter(({ atClosing }) => atClosing === 'deleted')

export function deleteAtClosing(userId: string): Statement[] {
  return DELETED_AT_CLOSING.map(
    ({ table, owner }) =>
      sql`DELETE FROM ${sql.identifier(table)} WHERE ${sql.identifier(owner)} = ${userId}`,
  )
}
