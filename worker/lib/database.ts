import type { BatchItem } from 'drizzle-orm/batch'
import { type DrizzleD1Database, drizzle } from 'drizzle-orm/d1'

export type Database = DrizzleD1Database & { readonly $client: D1Database }
/** One statement of a batch. */
export type Statement = BatchItem<'sqlite'>

/** Drizzle over the D1 binding. */
export function openDatabase(binding: D1Database): Database {
  return drizzle(binding)
}

/** Runs statements as one atomic batch; nothing to run is no round trip. */
export async function runBatch(db: Database, statements: readonly Statement[]): Promise<void> {
  const [first, ...rest] = statements
  if (first !== undefined) await db.batch([first, ...rest])
}
