import { formatCents } from '../../src/contract/money.ts'
import { site } from '../../src/site.ts'
import { lockParts } from '../auth/lockToken.ts'
import type { ActorCall } from '../lib/call.ts'
import { composeMail } from '../lib/mail/compose.ts'
import { linkTo } from '../lib/mail/linkTo.ts'
import { momentOf } from '../lib/mail/moment.ts'
import type { Mail } from '../lib/mail/outbox.ts'
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
    `It is not paid before ${momentOf(heldUntilMs)}: the destination was new, and was confirmed without a second factor that we can rely on. Whoever reads your mails could have done so.`,
    actor.twoFactor
      ? 'Confirm the next new destination with your second factor, and there is no such wait.'
      : 'Turn a second factor on, and the next new destination that you confirm with it has no such wait.',
    { label: 'Your security settings', href: linkTo(env, '/dashboard/profile') },
    `If it was not you, lock your account before that moment and write to us at ${site.supportEmail}.`,
    ...(await lockParts(env, actor, nowMs)),
  ])
}
