import type { Severity, Signal, SignalName } from '../../../contract/console/withdrawals.ts'
import { formatUsd } from '../../../contract/money.ts'
import { dateTimeText } from '../../../design/DateTime.tsx'

export const SEVERITY_WORDS: Record<Severity, string> = { high: 'Grave', medium: 'Notable', low: 'Minor' }

type Told = { readonly when: string; readonly sum: string; readonly count: number }

const SENTENCES: Record<SignalName, (told: Told) => string> = {
  debt: ({ sum }) => `The investor owes ${sum} after a reversed credit: this cannot be approved or paid`,
  account_recovered: ({ when }) => `A forgotten password was set anew by mail on ${when}`,
  shared_destination: ({ count }) =>
    count === 1
      ? 'Another investor is paid at the same destination, or saved it'
      : `${count} other investors are paid at the same destination, or saved it`,
  in_and_out: ({ sum, when }) => `${sum} were credited shortly before, last on ${when}`,
  identity_not_approved: () => 'The identity is not approved',
  holder_differs: () => 'The account holder has another name than the investor',
  password_changed: ({ when }) => `The password was changed on ${when}`,
  email_changed: ({ when }) => `The e-mail address was changed on ${when}`,
  second_factor_changed: ({ when }) => `The second factor was changed on ${when}`,
  new_destination: ({ when }) =>
    when === ''
      ? 'Nothing was paid to this destination before, and it is not in the address book'
      : `Nothing was paid to this destination before; it was saved in the address book on ${when}`,
  on_hold: ({ when }) => `It is not to be paid before ${when}`,
  new_device: ({ when }) => `It came from a browser that was first seen on ${when}`,
  unusual_amount: ({ sum }) => `It is much more than was ever paid lately: ${sum} at the most`,
  several_in_a_day: ({ count, sum }) => `It is one of ${count} within a day, ${sum} in all`,
  new_account: ({ when }) => `The account was opened on ${when}`,
  bonus_included: ({ sum }) => `Some of the bonus of ${sum} goes out with it`,
  frozen_before: ({ when }) => `The account was frozen, last on ${when}`,
  whole_balance: ({ sum }) => `It takes nearly all of the balance: ${sum} are left`,
  identity_new: ({ when }) => `The identity was approved on ${when}`,
  first_withdrawal: () => 'It is the first withdrawal of this account',
}

/** What a signal says, with its facts, as a sentence without its full stop. */
export function signalWords({ signal, since, amount, count = 0 }: Signal, timeZone?: string): string {
  return SENTENCES[signal]({
    when: since === undefined ? '' : dateTimeText(since, 'both', timeZone),
    sum: amount === undefined ? '' : formatUsd(amount),
    count,
  })
}
