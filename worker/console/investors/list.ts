import { type SQL, sql } from 'drizzle-orm'
import { listInvestors as endpoint } from '../../../src/contract/console/investors.ts'
import type { QueryOf } from '../../../src/contract/endpoint.ts'
import { ok } from '../../http/call.ts'
import { openCursor, pageOf } from '../../http/paging.ts'
import { route } from '../../http/route.ts'
import { type Read, reading, readTogether } from '../../lib/database.ts'
import { INVESTOR_COLUMNS, type InvestorFacts, investorRow, readInvestors } from './investor.ts'
import { pageFound, searchFor } from './search.ts'

type Query = QueryOf<typeof endpoint>

/** What is asked of the list: whom it is about, and which page. */
export type Asked = Pick<Query, 'limit'> & { readonly [Name in Exclude<keyof Query, 'limit'>]?: Query[Name] }

/** Investors, newest first. */
export const listInvestors = route(endpoint, async (call) => {
  const [found] = await readTogether(call.db, readPage(call.query))
  const { rows, headers } = pageOf(call, found, call.query.limit, ({ seq }) => ({ at: 0, seq }))
  return ok(rows.map(investorRow), headers)
})

/** Reads a page and one row more: whether there is a next one. */
export function readPage({ query, anywhere, account, kyc, limit, cursor }: Asked): Read<InvestorFacts> {
  const after = openCursor(cursor)
  const condition = sql.join(
    [
      after === null ? sql`1` : sql`u.seq < ${after.seq}`,
      account === undefined ? sql`1` : OF_ACCOUNT[account],
      kyc === undefined ? sql`1` : sql`u.kyc_status = ${kyc}`,
    ],
    sql` AND `,
  )
  if (query === undefined) return readInvestors(condition, limit + 1, indexFor(account, kyc))
  return reading(pageFound(INVESTOR_COLUMNS, searchFor(query), condition, limit + 1, anywhere === 'true'))
}

// Not left to SQLite, which would go through everybody in their order.
function indexFor(account: Query['account'], kyc: Query['kyc']): string | undefined {
  if (account === 'frozen') return 'users_frozen'
  if (account === 'closed') return 'users_closed'
  return kyc === undefined ? undefined : 'users_by_identity'
}

const OF_ACCOUNT: Record<NonNullable<Query['account']>, SQL> = {
  active: sql`u.frozen_at IS NULL AND u.closed_at IS NULL`,
  frozen: sql`u.frozen_at IS NOT NULL`,
  closed: sql`u.closed_at IS NOT NULL`,
}
