import { type SQL, sql } from 'drizzle-orm'
import type { ActorCall } from '../../http/call.ts'
import { readRiskFacts } from '../risk/facts.ts'
import type { ProposalFacts } from './proposal.ts'

/** What pending proposals with these ids are judged by: the removal of a lost second factor by its report, others by their investor's account. */
export function selectJudged(ids: SQL): { readonly recoveries: SQL; readonly investors: SQL } {
  const pending = sql`FROM proposals q LEFT JOIN requests o ON o.id = q.request WHERE q.id IN (${ids}) AND q.status = 'pending'`
  return {
    recoveries: sql`SELECT json_extract(q.payload, '$.recovery') ${pending} AND q.kind = 'factor_recovery'`,
    investors: sql`SELECT coalesce(q.investor, o.investor) ${pending} AND q.kind <> 'factor_recovery'`,
  }
}

/** The facts of both. */
export function readProposalRisks(ids: SQL, call: Pick<ActorCall, 'actor' | 'nowMs'>) {
  const { recoveries, investors } = selectJudged(ids)
  return [
    readRiskFacts('recoveries', recoveries, call, true),
    readRiskFacts('investors', investors, call, true),
  ] as const
}

/** The id of the report or the account that a proposal is judged by; null if it concerns no investor. */
export function getJudgedId(facts: ProposalFacts): string | null {
  switch (facts.kind) {
    case 'factor_recovery':
      return facts.payload.recovery
    case 'reversal':
      return facts.request.investor
    default:
      return 'investor' in facts ? facts.investor : null
  }
}
