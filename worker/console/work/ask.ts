import { sql } from 'drizzle-orm'
import { buildReplyClosing } from '../../../src/contract/console/messages.ts'
import { getWorkKind, isAskingKind } from '../../../src/contract/console/work.ts'
import type { askInvestor as endpoint } from '../../../src/contract/console/workItems.ts'
import { type ActorCall, type CallOf, ok } from '../../http/call.ts'
import { toIso } from '../../http/paging.ts'
import { hasScope } from '../../http/scopes.ts'
import { newId, newRef } from '../../lib/crypto/tokens.ts'
import { selectRows } from '../../lib/database.ts'
import { refuse } from '../../lib/errors.ts'
import { foldName } from '../../lib/foldName.ts'
import { buildLink, composeNews } from '../../lib/mail/compose.ts'
import { caseHolds } from '../../lib/tables/operators.ts'
import { contactMessages } from '../../lib/tables/outreach.ts'
import { assertOwnAddresses, countMessage } from '../cases/messageToInvestor.ts'
import { assertNotAssigned, parseWork } from '../cases/workState.ts'
import { loadOpenCase } from './assign.ts'

/** The investor of a case, and the name of the case in a message. */
function readAsked(id: string) {
  return selectRows({
    investor: sql<string>`u.id`,
    name: sql<string>`u.display_name`,
    email: sql<string>`u.email`,
    about: sql<string>`c.about`,
  }).from(sql`(
    SELECT investor, iif(queue = 'deposits', 'your deposit ', 'your withdrawal ') || ref AS about FROM requests WHERE id = ${id}
    UNION ALL SELECT user_id, 'your ' || iif(kind = 'address', 'proof of address ', 'identity document ') || ref FROM kyc_submissions WHERE id = ${id}
    UNION ALL SELECT investor, 'your lost second factor' FROM factor_recoveries WHERE id = ${id}
  ) c JOIN users u ON u.id = c.investor`)
}

export function loadCaseToAsk(call: ActorCall) {
  return loadOpenCase(call, readAsked(call.params.id ?? ''))
}

/**
 * Asks the investor of an open case and puts it on hold. The question begins a thread, which the investor sees in their messages,
 * notifications and mail. Decisions stay possible. A second question is refused until the first one is answered.
 */
export async function askInvestor(
  call: CallOf<typeof endpoint>,
  [found, [asked]]: Awaited<ReturnType<typeof loadCaseToAsk>>,
) {
  const { db, env, actor, nowMs, body } = call
  const { text } = body
  const { id, kind } = found
  if (!isAskingKind(kind) || !hasScope(actor, getWorkKind(kind).scope)) refuse('forbidden')
  assertNotAssigned(found, call)
  await assertOwnAddresses(call, 'text', text)
  if (asked === undefined) return refuse('already_decided')
  const { hold } = parseWork(found, call)
  if (hold !== null && hold.answeredAt === null)
    refuse('conflict', { msg: 'The investor was asked already. Wait for the answer, or decide the case.' })
  const { investor, name, email, about } = asked
  const [thread, ref] = [newId(), newRef('MSG')]
  // An investor who lost a factor cannot sign in to answer.
  const closing = buildReplyClosing({ ref, isProven: kind !== 'factor_recovery' })
  return call.commit({
    statements: [
      db.insert(contactMessages).values({
        id: thread,
        ref,
        name,
        nameFolded: foldName(name),
        email,
        investor,
        message: `About ${about}:\n\n${text}`,
        status: 'answered',
        createdAt: nowMs,
        openedAt: nowMs,
        askedBy: actor.id,
      }),
      db.insert(caseHolds).values({ caseId: id, kind, at: nowMs, investor, operator: actor.id, thread }),
      countMessage(call),
    ],
    audit: [{ action: 'case.asked', subject: found.subject, detail: { kind, message: thread } }],
    mails: [
      composeNews(email, `We have a question about ${about}`, name, [
        ...text.split(/\n\s*\n/),
        closing.words,
        { label: closing.label, href: buildLink(env, closing.path) },
      ]),
    ],
    answer: ok({
      hold: { since: toIso(nowMs), by: actor.displayName, thread, answeredAt: null },
    }),
  })
}
