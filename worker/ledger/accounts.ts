import type { Database, Statement } from '../lib/database.ts'
import { accounts } from '../lib/tables/ledger.ts'

/** The accounts of every investor. The database opens more with the first order for a strategy. */
export const BASE_KINDS = ['available', 'held', 'paid_in', 'granted', 'paid_out', 'fees', 'owed'] as const
export type BaseKind = (typeof BASE_KINDS)[number]

/** An account's id, derived from the investor's id. */
export function buildAccountId(owner: string, kind: BaseKind): string {
  return `${owner}:${kind}`
}

/** Opens an investor's books, empty. */
export function openBooks(db: Database, owner: string): Statement {
  return db
    .insert(accounts)
    .values(BASE_KINDS.map((kind) => ({ id: buildAccountId(owner, kind), owner, kind })))
}
