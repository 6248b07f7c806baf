import { site } from '../../../src/site.ts'
import type { Env } from '../../lib/env.ts'
import { composeMail } from '../../lib/mail/compose.ts'
import { linkTo } from '../../lib/mail/linkTo.ts'
import type { Mail } from '../../lib/mail/outbox.ts'
import { lockParts } from '../credentials/lockToken.ts'

/** What was turned off that would have told of a stranger. */
interface Watch {
  readonly log: boolean
  readonly warnings: boolean
}

/** Always comes: a stranger who goes unseen would begin with this. */
export async function watchOffMail(
  env: Env,
  to: { id: string; email: string; displayName: string; role: 'investor' | 'operator' },
  off: Watch,
  nowMs: number,
): Promise<Mail> {
  const what = [
    ...(off.log ? ['the activity log, which was emptied'] : []),
    ...(off.warnings ? ['mails about unusual activity'] : []),
  ].join(' and ')
  return composeMail(to.email, 'Fewer warnings for your account', to.displayName, [
    `this was turned off for your account at ${site.brand}: ${what}. A changed password, e-mail address or second factor is still told by mail.`,
    'If it was not you, choose a new password at once, turn it on again in your profile, and write to us.',
    { label: 'Choose a new password', href: linkTo(env, '/forgot-password') },
    ...(await lockParts(env, to, nowMs)),
  ])
}
