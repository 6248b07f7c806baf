import { formatCents } from '../../../src/contract/money.ts'
import type { Env } from '../../lib/env.ts'
import { composeMail } from '../../lib/mail/compose.ts'
import { linkTo } from '../../lib/mail/linkTo.ts'
import type { Mail } from '../../lib/mail/outbox.ts'

interface Redeemed {
  readonly ref: string
  readonly email: string
  readonly name: string
}

/** Says that what was redeemed goes on, as it was asked. */
export function onwardFiled(
  env: Env,
  { ref, email, name }: Redeemed,
  withdrawal: string,
  amountCents: number,
  destination: string,
): Mail {
  return composeMail(email, `Your redemption ${ref} is settled`, name, [
    `As you asked, ${formatCents(amountCents)} of it are to be withdrawn to ${destination}. The withdrawal is ${withdrawal}; it awaits approval, and you can cancel it until then.`,
    { label: 'Your transaction history', href: linkTo(env, '/dashboard/transaction-history') },
  ])
}

/** Says that it stays in the account, and why that may be. */
export function onwardStopped(env: Env, { ref, email, name }: Redeemed): Mail {
  return composeMail(email, `Your redemption ${ref} is settled, and stays in your account`, name, [
    'It could not be withdrawn as you asked: the account may be frozen, its owner not identified, 20 withdrawals be open already, the amount be too small, or a new confirmation be needed. The money is available in your account.',
    { label: 'Withdraw it', href: linkTo(env, '/dashboard/withdrawal') },
  ])
}
