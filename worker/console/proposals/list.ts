import { type SQL, sql } from 'drizzle-orm'
import { listProposals } from '../../../src/contract/console/proposals.ts'
import { decimal } from '../../http/csv.ts'
import { iso } from '../../http/paging.ts'
import { readTogether } from '../../lib/database.ts'
import { queue } from '../cases/queue.ts'
import { proposalRow, readProposals } from './proposal.ts'

/** Acts that one operator may not do alone. */
export const proposals = queue(listProposals, {
  read: async ({ db, query: { status, query } }, after, rows) => {
    const where = sql`
      ${status ? sql`p.status = ${status}` : sql`1`} AND ${after === null ? sql`1` : sql`p.seq < ${after.seq}`}
      AND ${query === undefined ? sql`1` : isSought(query)}`
    const [found] = await readTogether(db, readProposals(where, rows))
    return found
  },
  row: (facts) => proposalRow(facts),
  file: {
    name: 'proposals',
    columns: {
      Id: (row) => row.id,
      'Proposed (UTC)': (row) => iso(row.createdAt),
      Kind: (row) => row.kind,
      Status: (row) => row.status,
      'Proposed by': (row) => row.proposedByName,
      'Decided by': (row) => row.decidedByName ?? '',
      'Decided (UTC)': (row) => (row.decidedAt === null ? '' : iso(row.decidedAt)),
      Reason: (row) => row.reason ?? '',
      'Rejected because': (row) => row.rejection ?? '',
      Investor: (row) => row.investorName ?? '',
      'Reversed request': (row) => row.requestRef ?? '',
      'Amount (USD)': (row) => (row.amount === null ? '' : decimal(row.amount)),
      Operator: (row) => row.operatorName ?? '',
    },
  },
  waiting: { proposals: { from: sql`proposals WHERE status = 'pending'`, oldestFirst: sql`seq` } },
})

// Proposals are few, so those under the filter are read until a page is full.
function isSought(query: string): SQL {
  const names = [
    'a.display_name',
    'u.display_name',
    'u.email',
    'o.display_name',
    'o.email',
    'i.name',
    'i.email',
  ]
  const parts = names.map((name) => sql`instr(lower(${sql.raw(name)}), ${query.toLowerCase()}) > 0`)
  return sql`(
    p.id = ${query} OR p.request = ${query} OR substr(r.ref, 1, ${query.length}) = ${query.toUpperCase()}
    OR ${sql.join(parts, sql` OR `)})`
}
