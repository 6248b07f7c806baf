import type { OperatorInvestor } from '../../../src/contract/console/investors.ts'
import type { OperatorRow } from '../../../src/contract/console/operators.ts'
import { type ActorCall, type Answer, ok } from '../../http/call.ts'
import { endSessions } from '../../identity/credentials/revoke.ts'
import { type Investor, investorDetail } from '../investors/investor.ts'
import { sessionsEnded } from './mails.ts'
import { type OperatorFacts, operatorRow } from './operator.ts'

/** Ends every session of an operator. */
export async function endOperatorSessions(
  call: ActorCall,
  operator: OperatorFacts,
): Promise<Answer<OperatorRow>> {
  const { db, env, actor, nowMs } = call
  const { id, email, name: displayName } = operator
  const answer = ok(operatorRow(actor.id, operator))
  await call.commit({
    statements: [endSessions(db, id, nowMs)],
    audit: [{ action: 'operator.sessions_ended', subject: id }],
    mails: [await sessionsEnded(env, { id, email, displayName, role: 'operator' }, nowMs)],
    answer,
  })
  return answer
}

/** Ends every session of an investor. Who closed their account is not written to. */
export async function endInvestorSessions(
  call: ActorCall,
  investor: Investor,
): Promise<Answer<OperatorInvestor>> {
  const { db, env, nowMs } = call
  const { id, investorEmail: email, investorName: displayName, closedAt } = investor.facts
  const answer = ok(investorDetail(investor))
  await call.commit({
    statements: [endSessions(db, id, nowMs)],
    audit: [{ action: 'investor.sessions_ended', subject: id }],
    mails:
      closedAt === null
        ? [await sessionsEnded(env, { id, email, displayName, role: 'investor' }, nowMs)]
        : [],
    answer,
  })
  return answer
}
