import { eq } from 'drizzle-orm'
import type { OperatorInvestor } from '../../../src/contract/operator/investors.ts'
import { users } from '../../auth/tables.ts'
import { type ActorCall, type Answer, type CheckedCall, ok } from '../../lib/call.ts'
import { accountFrozen, accountUnfrozen } from '../mails.ts'
import { type Investor, investorDetail } from './investor.ts'

/** Freezes an account: it signs in and reads, cancels what is pending, and moves no money. The reason stays among operators. */
export async function freezeInvestor(
  call: CheckedCall<{ reason: string }, unknown> & ActorCall,
  investor: Investor,
): Promise<Answer<OperatorInvestor>> {
  const frozenAt = investor.facts.frozenAt ?? call.nowMs
  return change(call, investor, { frozenAt, frozenReason: call.body.reason })
}

/** Lifts the freeze of an account. */
export async function unfreezeInvestor(
  call: ActorCall,
  investor: Investor,
): Promise<Answer<OperatorInvestor>> {
  return change(call, investor, { frozenAt: null, frozenReason: null })
}

async function change(
  call: ActorCall,
  { facts, figures }: Investor,
  freeze: { frozenAt: number | null; frozenReason: string | null },
): Promise<Answer<OperatorInvestor>> {
  const { db, env } = call
  const frozen = freeze.frozenAt !== null
  const answer = ok(investorDetail({ facts: { ...facts, ...freeze }, figures }))
  // Nobody is told again what has not changed, or of an account that they closed: there it only keeps what is to be shredded.
  const changes = frozen !== (facts.frozenAt !== null) && facts.closedAt === null
  await call.commit({
    statements: [db.update(users).set(freeze).where(eq(users.id, facts.id))],
    audit: [{ action: frozen ? 'investor.frozen' : 'investor.unfrozen', subject: facts.id }],
    mails: changes ? [frozen ? accountFrozen(env, facts) : accountUnfrozen(env, facts)] : [],
    answer,
  })
  return answer
}
