import { formatCents } from '../../../src/contract/money.ts'
import { site } from '../../../src/site.ts'
import type { Actor } from '../../http/actor.ts'
import type { ActorCall } from '../../http/call.ts'
import { lockParts } from '../../identity/credentials/lockToken.ts'
import { composeMail } from '../../lib/mail/compose.ts'
import { linkTo } from '../../lib/mail/linkTo.ts'
import { momentOf } from '../../lib/mail/moment.ts'
import type { Mail } from '../../lib/mail/outbox.ts'
import { isRecentChange } from './reasons.ts'
import type { Wish } from './wish.ts'

/**
 * Tells the owner of a withdrawal that waits: until when, why, what would spare the wait, and how to stop it if it is not
 * theirs. The wait is there for this mail to be read.
 */
export async function heldMail(
  { env, actor, nowMs }: ActorCall,
  ref: string,
  { amountCents, destination }: Wish,
  heldUntilMs: number,
): Promise<Mail> {
  return composeMail(actor.email, `Your withdrawal ${ref} waits for a day`, actor.name, [
    `we have your request to withdraw ${formatCents(amountCents)} to ${destination.words}.`,
    ...(destination.facts === '' ? [] : [destination.facts]),
    `It is not paid before ${momentOf(heldUntilMs)}: the destination was new, and ${why(actor, nowMs)}`,
    actor.twoFactor
      ? 'A new destination that you confirm with a second factor has no such wait, unless something changed in the three days before.'
      : 'Turn a second factor on. Three days later, a new destination that you confirm with it has no such wait.',
    { label: 'Your security settings', href: linkTo(env, '/dashboard/profile') },
    `If it was not you, lock your account before that moment and write to us at ${site.supportEmail}.`,
    ...(await lockParts(env, actor, nowMs)),
  ])
}

function why({ twoFactor, securityChangedAtMs }: Actor, nowMs: number): string {
  return twoFactor && isRecentChange(securityChangedAtMs, nowMs)
    ? 'your password, e-mail address or second factor was changed in the last three days. Somebody else could have done that.'
    : 'it was confirmed without a second factor. Whoever reads your mails could have done that.'
}
