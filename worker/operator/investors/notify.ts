import type { OperatorInvestor } from '../../../src/contract/operator/investors.ts'
import { type ActorCall, type Answer, type CheckedCall, created } from '../../lib/call.ts'
import { refuse } from '../../lib/errors.ts'
import { notifications } from '../../notifications/tables.ts'
import { type Investor, investorDetail } from './investor.ts'
import { storable } from './preview.ts'

interface Notification {
  readonly title: string
  readonly content: string
  readonly persistent: boolean
}

/** Shows an investor a notification, in place of the one before. Its HTML is made safe before it is stored. */
export async function notifyInvestor(
  call: CheckedCall<Notification, unknown> & ActorCall,
  investor: Investor,
): Promise<Answer<OperatorInvestor>> {
  const { db, nowMs, body } = call
  const { title, persistent } = body
  if (investor.facts.closedAt !== null)
    refuse('account_closed', { msg: 'This account is closed: nobody would read it.' })
  const content = storable(body.content)
  const userId = investor.facts.id
  const notification = { title, content, persistent, seen: false, createdAt: nowMs }
  const answer = created(investorDetail(investor))
  await call.commit({
    statements: [
      db
        .insert(notifications)
        .values({ userId, ...notification })
        .onConflictDoUpdate({ target: notifications.userId, set: notification }),
    ],
    audit: [{ action: 'investor.notified', subject: userId, detail: { persistent } }],
    answer,
  })
  return answer
}
