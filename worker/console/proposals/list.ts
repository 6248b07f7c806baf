import { type SQL, sql } from 'drizzle-orm'
import type { listProposals as endpoint, Proposal } from '../../../src/contract/console/proposals.ts'
import type { QueryOf } from '../../../src/contract/endpoint.ts'
import type { ActorCall, Answer, CheckedCall } from '../../http/call.ts'
import { decimal } from '../../http/csv.ts'
import { iso, type Position } from '../../http/paging.ts'
import { type Database, readTogether } from '../../lib/database.ts'
import { pageOrFile } from '../cases/pageOrFile.ts'
import { type ProposalFacts, proposalRow, readProposals } from './proposal.ts'

type ProposalQuery = QueryOf<typeof endpoint>
type Listed = ProposalFacts & { readonly seq: number }

/** What one operator may not do alone, newest first: a page of it, or all as a file. */
export function listProposals(
  call: CheckedCall<unknown, ProposalQuery> & ActorCall,
): Promise<Answer<Proposal[]> | Response> {
  return pageOrFile(call, {
    what: 'proposals',
    read: (after, rows) => readList(call.db, call.query, after, rows),
    rowOf: proposalRow,
    positionOf: positionOf,
    header: HEADER,
    fields,
  })
}

async function readList(
  db: Database,
  { status, query }: Pick<ProposalQuery, 'status' | 'query'>,
  after: Position | null,
  rows: number,
): Promise<Listed[]> {
  const where = sql`
    ${status ? sql`p.status = ${status}` : sql`1`} AND ${after === null ? sql`1` : sql`p.seq < ${after.seq}`}
    AND ${query === undefined ? sql`1` : isSought(query)}`
  const [found] = await readTogether(db, readProposals(where, rows))
  return found
}

// They are the house's own and few: those under the filter are read until a page is full.
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

function positionOf({ seq }: Listed): Position {
  return { at: 0, seq }
}

const HEADER = [
  'Id',
  'Proposed (UTC)',
  'Kind',
  'Status',
  'Proposed by',
  'Decided by',
  'Decided (UTC)',
  'Reason',
  'Rejected because',
  'Investor',
  'Reversed request',
  'Amount (USD)',
  'Operator',
]

function fields(facts: Listed): string[] {
  const { decidedAt, amount } = facts
  return [
    facts.id,
    iso(facts.createdAt),
    facts.kind,
    facts.status,
    facts.proposedByName,
    facts.decidedByName ?? '',
    decidedAt === null ? '' : iso(decidedAt),
    facts.reason ?? '',
    facts.rejection ?? '',
    facts.investorName ?? '',
    facts.requestRef ?? '',
    amount === null ? '' : decimal(amount),
    facts.operatorName ?? '',
  ]
}
