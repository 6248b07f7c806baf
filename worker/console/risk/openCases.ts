import { type SQL, sql } from 'drizzle-orm'
import type { Risk } from '../../../src/contract/console/risk.ts'
import type { ActorCall } from '../../http/call.ts'
import { readTogether } from '../../lib/database.ts'
import { readRiskFacts } from './facts.ts'
import type { RiskFacts, RiskKind } from './rules.ts'

/** The kinds of cases that a person has with their own risk. */
const OPEN_CASE_KINDS = ['deposits', 'withdrawals', 'kyc', 'recoveries'] as const
type OpenCaseKind = (typeof OPEN_CASE_KINDS)[number]

/** Queries of the facts of all open cases of these investors, whose ids `investors` selects. */
export function readOpenCaseRisks(investors: SQL, call: ActorCall) {
  const read = (kind: OpenCaseKind, ids: SQL) => readRiskFacts(kind, ids, call, true)
  // The conditions match the indexes.
  const selectRequests = (queue: 'deposits' | 'withdrawals') => sql`
    SELECT id FROM requests WHERE investor IN (${investors}) AND queue = ${queue}
      AND status IN ('pending', 'approved') AND NOT (queue = 'deposits' AND status = 'approved')`
  return [
    read('deposits', selectRequests('deposits')),
    read('withdrawals', selectRequests('withdrawals')),
    read('kyc', sql`SELECT id FROM kyc_submissions WHERE user_id IN (${investors}) AND status = 'pending'`),
    read(
      'recoveries',
      sql`SELECT id FROM factor_recoveries WHERE investor IN (${investors}) AND filed_at IS NOT NULL AND ended_at IS NULL`,
    ),
  ] as const
}

/** Raises the risk of each account to the highest of its open cases. Takes one round trip. */
export async function raiseByOpenCases(
  call: ActorCall,
  accounts: ReadonlyMap<string, Risk>,
  judge: (kind: RiskKind, facts: RiskFacts) => Risk,
): Promise<ReadonlyMap<string, Risk>> {
  if (accounts.size === 0) return accounts
  const ids = sql`SELECT value FROM json_each(${JSON.stringify([...accounts.keys()])})`
  const cases = await readTogether(call.db, ...readOpenCaseRisks(ids, call))
  const highest = new Map(accounts)
  for (const [index, kind] of OPEN_CASE_KINDS.entries())
    for (const facts of cases[index] ?? []) {
      const [risk, before] = [judge(kind, facts), highest.get(facts.investor)]
      if (before !== undefined && risk.score > before.score) highest.set(facts.investor, risk)
    }
  return highest
}
