import { site } from '../../../src/site.ts'
import type { Env } from '../../lib/env.ts'
import { composeMail } from '../../lib/mail/compose.ts'
import { linkTo } from '../../lib/mail/linkTo.ts'
import type { Mail } from '../../lib/mail/outbox.ts'

/** Everything held on somebody left the house: they must notice if it was not them who asked. */
export function dataDownloadedMail(env: Env, to: { email: string; displayName: string }): Mail {
  return composeMail(to.email, 'Your data was downloaded', to.displayName, [
    `a file with everything that ${site.brand} keeps about you was downloaded from your account. Keep it where nobody else finds it.`,
    'If it was not you, choose a new password at once and write to us.',
    { label: 'Choose a new password', href: linkTo(env, '/forgot-password') },
  ])
}
