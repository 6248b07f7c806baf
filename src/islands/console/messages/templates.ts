import type { ContactMessage } from '../../../contract/console/messages.ts'
import { formatUsd } from '../../../contract/money.ts'

export interface Template {
  readonly label: string
  /** May contain the `PLACEHOLDERS`. The mail adds the greeting, the reference of the thread and our name. */
  readonly text: string
}

/** Replies to frequent questions, to edit before they are sent. */
export const TEMPLATES: readonly Template[] = [
  {
    label: 'Deposit: we are checking it',
    text: `Thank you for your message. We have your deposit [reference] of [amount] and are checking it now.

We credit it once the payment has arrived and matches your receipt. You get a mail then, and your transaction history shows it.`,
  },
  {
    label: 'Deposit: no payment found',
    text: `We could not find a payment for your deposit [reference] of [amount] yet.

Please send us the transaction id. Your wallet or the exchange that you paid from shows it. Please also check that the payment went to the address and the network on the deposit page.

Never send us a password, a code or a recovery phrase.`,
  },
  {
    label: 'Withdrawal: we are checking it',
    text: `Thank you for your message. We have your withdrawal [reference] of [amount]. An operator checks it before it is paid.

You get a mail when it is paid, or with the reason if it cannot be. We never ask for a payment before a withdrawal.`,
  },
  {
    label: 'Withdrawal: delayed for a new destination',
    text: `Your withdrawal [reference] of [amount] goes to a destination that you confirmed by e-mail alone. Such a withdrawal waits 24 hours, so that you can stop it if it was not you.

Your transaction history shows until when it is delayed. With a second factor turned on in your profile, later withdrawals to new destinations need no such wait.`,
  },
  {
    label: 'Identity: send another document',
    text: `We could not verify your identity with the document that you sent. Please upload another picture on the KYC page.

It has to show your whole passport page, sharp and without reflections, in the name [name]. Please do not send documents by mail.`,
  },
  {
    label: 'Account: cannot sign in',
    text: `You can choose a new password with “Forgot password” on the sign-in page. The link comes to the e-mail address of your account. It works once.

If you lost your second factor, the sign-in page offers its removal. That takes some days, because it is how we protect your account.`,
  },
  {
    label: 'Closing: is everything answered?',
    text: `We believe that everything in your message is answered, so we close it. If something is left, just write again: your message is then reopened.`,
  },
]

/** Fills in a template from the thread. A placeholder without a value stays, and the reply cannot be sent with it. */
export function fillTemplate({ text }: Template, { name, mentioned = [] }: ContactMessage): string {
  // Only a case of the writer: a stranger could name another investor's reference.
  const about = mentioned.find(({ isTheirs, amount }) => isTheirs && amount !== null)
  const values: Readonly<Record<string, string | undefined>> = {
    '[name]': name,
    '[reference]': about?.ref,
    '[amount]': about && formatUsd(about.amount ?? 0),
  }
  return text.replace(/\[[a-z]+\]/g, (placeholder) => values[placeholder] ?? placeholder)
}
