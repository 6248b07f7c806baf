import { type SQL, sql } from 'drizzle-orm'
import { MOST_JUDGED, RISK_RULES, type Risk } from '../../../src/contract/console/risk.ts'
import type { ActorCall } from '../../http/call.ts'
import type { Columns } from '../../http/csv.ts'
import type { Position } from '../../http/paging.ts'
import type { Order } from '../../http/queue.ts'
import { NO_ROWS, type RowQuery, readTogether } from '../../lib/database.ts'
import { readRiskFacts } from './facts.ts'
import { raiseByOpenCases } from './openCases.ts'
import { deriveRisk, type RiskFacts, type RiskKind } from './rules.ts'

/** The page of a queue that `select` and `read` are asked for. */
interface Page {
  readonly order: Order
  readonly after: Position | null
  readonly rows: number
  /** A further condition. */
  readonly also: SQL
}

interface Source<Facts> {
  /** SQL of the ids of a page. */
  readonly select: (page: Page) => SQL
  /** The condition of an open case. */
  readonly isOpen: SQL
  /** The facts of these cases in any order, and the rows of `risks` in the same round trip. */
  readonly read: (ids: SQL, risks: RowQuery<RiskFacts>) => Promise<[readonly Facts[], readonly RiskFacts[]]>
  /** The position of a case in its queue. */
  readonly position: (facts: NoInfer<Facts>) => Position
}

type RiskCall = ActorCall & {
  readonly query: {
    readonly risk?: 'high' | 'medium' | undefined
    readonly order?: Order
    readonly format?: 'json' | 'csv' | undefined
  }
}

/** The risk of an open case, and its position in a page by risk. */
export type WithRisk<Facts> = Facts & { readonly risk?: Risk | undefined; readonly position?: Position }

/**
 * The risk of a case in a file: its points, and the names of its signs. Both are empty once the case is decided. They are the same for
 * everybody who may export: signs that depend on the reader are left out.
 */
export const RISK_COLUMNS: Columns<{ readonly risk?: Risk | undefined }> = {
  'Risk (points)': ({ risk }) => (risk === undefined ? '' : String(risk.score)),
  'Signs of risk': ({ risk }) => risk?.signals.map(({ rule }) => RISK_RULES[rule].title).join('; ') ?? '',
}

/**
 * One page of a queue with the risk of its open cases, which costs one statement for the page. A filter or an order by risk judges the
 * oldest `MOST_JUDGED` open cases that the other filters find, which takes one more round trip. An investor has the highest risk of the
 * account and its open cases. Reading these takes another round trip.
 */
export async function readByRisk<Facts extends { readonly id: string }>(
  call: RiskCall,
  kind: RiskKind,
  after: Position | null,
  rows: number,
  { select, isOpen, read, position }: Source<Facts>,
): Promise<readonly WithRisk<Facts>[]> {
  const { risk: least, order, format } = call.query
  const judge = (judgedKind: RiskKind, row: RiskFacts) => deriveRisk(judgedKind, limitToFormat(row, format))
  const judgeAll = async (facts: readonly RiskFacts[]) => {
    const risks = new Map(facts.map((row) => [row.id, judge(kind, row)]))
    return kind === 'investors' ? raiseByOpenCases(call, risks, judge) : risks
  }
  if (least === undefined && order !== 'risk') {
    const ids = select({ order, after, rows, also: sql`1` })
    const [found, facts] = await read(ids, readRiskFacts(kind, ids, call, true))
    const risks = await judgeAll(facts)
    return found
      .map((row) => ({ ...row, risk: risks.get(row.id) }))
      .toSorted((firstRow, secondRow) => compare(order, position(firstRow), position(secondRow)))
  }
  const open = select({ order: 'oldest', after: null, rows: MOST_JUDGED, also: isOpen })
  const [judged] = await readTogether(call.db, readRiskFacts(kind, open, call, true))
  const risks = await judgeAll(judged)
  const page = pageByRisk(
    call.query,
    after,
    rows,
    judged.map((row) => ({ id: row.id, risk: risks.get(row.id), createdAt: row.filedAt, seq: row.seq })),
  )
  const ids = JSON.stringify(page.map(({ id }) => id))
  const [found] = await read(sql`SELECT value FROM json_each(${ids})`, NO_ROWS)
  const byId = new Map(found.map((row) => [row.id, row]))
  return page.flatMap(({ id, risk, position }) => {
    const row = byId.get(id)
    return row === undefined ? [] : [{ ...row, risk, position }]
  })
}

/** The facts without those that depend on the reader, for a file. */
export function limitToFormat(facts: RiskFacts, format: RiskCall['query']['format']): RiskFacts {
  return format === 'csv' ? { ...facts, silentAt: null, invitedByOwn: null } : facts
}

interface JudgedCase {
  readonly risk?: Risk | undefined
  readonly createdAt: number
  readonly seq: number
}

/** The page of these cases by the filter and the order of the query. Cases without a risk come last, and match no filter by risk. */
export function pageByRisk<Case extends JudgedCase>(
  { risk: least, order }: RiskCall['query'],
  after: Position | null,
  rows: number,
  judged: readonly Case[],
): (Case & { readonly position: Position })[] {
  return judged
    .map((found) => ({
      ...found,
      position: { at: order === 'risk' ? (found.risk?.score ?? 0) : found.createdAt, seq: found.seq },
    }))
    .filter(({ risk, position }) => {
      const isListed = least === undefined || risk?.level === 'high' || risk?.level === least
      return isListed && (after === null || compare(order, after, position) < 0)
    })
    .toSorted((firstCase, secondCase) => compare(order, firstCase.position, secondCase.position))
    .slice(0, rows)
}

/** Whether the first position comes before the second (negative): the higher one, unless the oldest come first. */
function compare(order: Order, first: Position, second: Position): number {
  const distance = first.at - second.at || first.seq - second.seq
  return order === 'oldest' ? distance : -distance
}
