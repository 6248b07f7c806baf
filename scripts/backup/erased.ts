import { toSqlLiteral } from './rows.ts'

/** The ids of the data that restoring an older backup must not bring back. */
export interface ErasureList {
  readonly madeAt: string
  readonly persons: readonly Removal[]
  /** Accounts that are closed but not erased yet. */
  readonly closed: readonly Removal[]
  /** Submissions whose documents were shredded. */
  readonly documents: readonly Removal[]
}

interface Removal {
  readonly id: string
  readonly atMs: number
}

/** The list's file in each backup. `npm run backup -- --erased <file>` writes only this list. */
export const ERASED_FILE = 'erased.json'

/** Returns the rows of a query. */
export type Query = (sql: string) => Promise<readonly Readonly<Record<string, unknown>>[]>

/**
 * Reads the list page by page, so that each answer is small. A person's closing and erasure come from one row, so a person who
 * is erased between two pages is not missed.
 */
export async function readErasures(query: Query, now: Date, pageRows = PAGE_ROWS): Promise<ErasureList> {
  const readPages = async (select: string) => {
    const rows: Readonly<Record<string, unknown>>[] = []
    for (;;) {
      const after = toSqlLiteral(String(rows.at(-1)?.id ?? ''))
      const page = await query(`${select} AND id > ${after} ORDER BY id LIMIT ${pageRows}`)
      rows.push(...page)
      if (page.length < pageRows) return rows
    }
  }
  const users = await readPages(
    'SELECT id, closed_at, erased_at FROM users WHERE (closed_at > 0 OR erased_at > 0)',
  )
  const documents = await readPages('SELECT id, shredded_at FROM kyc_submissions WHERE shredded_at > 0')
  const toRemoval = (id: unknown, at: unknown): Removal => ({ id: String(id), atMs: Number(at) })
  return {
    madeAt: now.toISOString(),
    persons: users
      .filter((user) => user.erased_at !== null)
      .map((user) => toRemoval(user.id, user.erased_at)),
    closed: users.filter((user) => user.erased_at === null).map((user) => toRemoval(user.id, user.closed_at)),
    documents: documents.map((document) => toRemoval(document.id, document.shredded_at)),
  }
}

const PAGE_ROWS = 2000
