import type { MailKind } from '../../../src/contract/identity/preferences.ts'
import { MAILS_OFF } from '../../../src/contract/outreach/announcementMail.ts'
import type { Env } from '../../lib/env.ts'
import { composeMail, type Part } from '../../lib/mail/compose.ts'
import { linkTo } from '../../lib/mail/linkTo.ts'
import type { Mail } from '../../lib/mail/outbox.ts'
import { mailsOffTokenOf } from './unsubscribeToken.ts'

/** Who gets a mail that they may turn off. */
export interface Reader {
  readonly id: string
  readonly email: string
  readonly displayName: string
}

/**
 * Writes a mail of a kind that its reader may turn off: it ends with the link, and carries the headers by which a mail
 * program's own button does it with one click (RFC 8058). Whether the reader wants it is the sender's to ask.
 */
export async function composeOptionalMail(
  env: Env,
  to: Reader,
  kind: MailKind,
  { subject, parts }: { readonly subject: string; readonly parts: readonly Part[] },
): Promise<Mail> {
  const token = await mailsOffTokenOf(env, to.id, kind)
  const mail = composeMail(to.email, subject, to.displayName, [
    ...parts,
    MAILS_OFF.words,
    { label: MAILS_OFF.label, href: linkTo(env, '/unsubscribe', { token }) },
  ])
  return {
    ...mail,
    headers: {
      'List-Unsubscribe': `<${linkTo(env, '/api/v1/users/preferences/unsubscribe', { token })}>`,
      'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click',
    },
  }
}
