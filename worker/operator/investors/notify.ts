import type { OperatorInvestor } from '../../../src/contract/operator/investors.ts'
import { type ActorCall, type Answer, type CheckedCall, created } from '../../lib/call.ts'
import { refuse, refuseField } from '../../lib/errors.ts'
import { notifications } from '../../notifications/tables.ts'
import { type Investor, investorDetail } from './investor.ts'
import { MAX_HTML_BYTES, safeHtml } from './safeHtml.ts'

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
  const content = safeHtml(body.content)
  if (content === '') refuseField('content', 'Nothing is left of the content once unsafe parts are removed')
  if (new TextEncoder().encode(content).length > MAX_HTML_BYTES)
    refuseField('content', 'The content is too long. It may have 16 KB at most')
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
