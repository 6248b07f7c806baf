import { formatCents } from '../../../src/contract/money.ts'
import type { Env } from '../../lib/env.ts'
import { composeMail } from '../../lib/mail/compose.ts'
import { linkTo } from '../../lib/mail/linkTo.ts'
import type { Mail } from '../../lib/mail/outbox.ts'

interface Granted {
  readonly email: string
  readonly displayName: string
  /** In cents. */
  readonly amount: number
}

/** Says that an invitation earned a bonus; for whom stays theirs to tell. */
export function referralGranted(env: Env, { email, displayName, amount }: Granted): Mail {
  return composeMail(email, 'A referral bonus was added to your account', displayName, [
    `Somebody you invited had their first deposit credited. A bonus of ${formatCents(amount)} was added to your account. It is available now.`,
    { label: 'See your referrals', href: linkTo(env, '/dashboard/referral-program') },
  ])
}
