import type { Closing } from '../../../src/contract/identity/accountClosing.ts'
import { site } from '../../../src/site.ts'
import { DAY_MS, dateInWords } from '../../lib/days.ts'
import { composeMail } from '../../lib/mail/compose.ts'
import type { Mail } from '../../lib/mail/outbox.ts'

interface Recipient {
  readonly email: string
  readonly displayName: string
}

/** The last mail about an account: that it is closed, what is kept, why and until when. */
export function accountClosedMail(to: Recipient, keptDays: Closing['keptDays'], closedAtMs: number): Mail {
  const until = (days: number) => dateInWords(closedAtMs + days * DAY_MS)
  return composeMail(to.email, 'Your account is closed', to.displayName, [
    `your account at ${site.brand} was closed on ${dateInWords(closedAtMs)}. Every session has ended, nobody can sign in to it again, and this is our last mail about it.`,
    'Deleted at once: your address book, your devices, your second factor and its recovery codes, notices, and links that we mailed.',
    `Kept until ${until(keptDays.documents)}: your identity documents, because the law asks companies that move money to be able to show whom they dealt with. Then their keys are deleted, and nobody can read them.`,
    `Kept until ${until(keptDays.person)}, for the same reason: your name, e-mail address and other details, what you wrote to support, receipts, and where withdrawals went. Then they are erased.`,
    'Kept beyond that: your books and the log of what was done, which name you by a random id only.',
    'If you get our newsletter, it goes on until you leave it with the link in it.',
    `If it was not you who closed the account, or if you have a question, write to ${site.supportEmail}.`,
  ])
}

/** Somebody registers, or asks for a new password, with the address of a closed account: its owner hears of it, nobody else. */
export function alreadyClosedMail(to: Recipient, closedAtMs: number): Mail {
  return composeMail(to.email, 'Your account is closed', to.displayName, [
    `somebody, perhaps you, tried to open an account at ${site.brand} with this e-mail address, or asked for a new password. The account that it had was closed on ${dateInWords(closedAtMs)}. It cannot be opened again, and nothing was changed.`,
    `To have an account again, please write to ${site.supportEmail}. If it was not you, there is nothing to do.`,
  ])
}
