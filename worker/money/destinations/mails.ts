import { NETWORK_LABELS, type Network } from '../../../src/contract/money/coins.ts'
import { site } from '../../../src/site.ts'
import type { Actor } from '../../http/actor.ts'
import { buildSecurityMail } from '../../identity/credentials/lockToken.ts'
import { CODE_MINUTES, splitLongNumbers } from '../../identity/mailedCodes/codes.ts'
import type { Env } from '../../lib/env.ts'
import { buildLink, composeMail, composeNews } from '../../lib/mail/compose.ts'
import type { Mail } from '../../lib/mail/outbox.ts'

interface Entry {
  readonly network: Network
  readonly address: string
}

// Without the name, which is free text of the account's user.
const describeAddress = ({ network, address }: Entry) => `the ${NETWORK_LABELS[network]} address ${address}`

/** `splitLongNumbers` keeps other numbers from looking like the code. */
export function buildCodeMail(to: Pick<Actor, 'email' | 'displayName'>, entry: Entry, code: string): Mail {
  return composeMail(to.email, 'Confirm a change of your address book', splitLongNumbers(to.displayName), [
    `You asked to save or rename ${splitLongNumbers(describeAddress(entry))} in your address book at ${site.brand}.`,
    `The code is ${code}`,
    `The code works once, within ${CODE_MINUTES} minutes, and for this address and name only. Nobody from ${site.brand} will ever ask you for it.`,
    `If it was not you, somebody else is in your account. Do not share the code, change your password, and write to ${splitLongNumbers(site.supportEmail)}.`,
  ])
}

/** A planted entry would be paid by its owner later, so each change is mailed. */
export function buildChangedMail(
  env: Env,
  to: Pick<Actor, 'id' | 'email' | 'displayName' | 'role'>,
  entry: Entry,
  isNew: boolean,
  nowMs: number,
): Promise<Mail> {
  return buildSecurityMail(env, to, nowMs, 'Your address book was changed', [
    `In your address book at ${site.brand}, ${describeAddress(entry)} was ${isNew ? 'saved' : 'renamed'}.`,
    'Compare an address with that of your wallet before you withdraw to it.',
  ])
}

/** Says that plans stopped because their address was deleted. */
export function buildPausedPlansMail(
  env: Env,
  to: Pick<Actor, 'email' | 'displayName'>,
  entry: Entry,
  count: number,
): Mail {
  const [subject, are, them] =
    count === 1
      ? ['Your recurring plan is paused', 'The recurring plan that pays to it is', 'it']
      : ['Your recurring plans are paused', `The ${count} recurring plans that pay to it are`, 'them']
  return composeNews(to.email, subject, to.displayName, [
    `You deleted ${describeAddress(entry)} from your saved addresses. ${are} paused.`,
    `To go on, choose another saved address for ${them} and resume ${them}. Withdrawals that were already requested are not changed. If a plan is redeeming units, their proceeds stay in your account.`,
    { label: 'Your recurring plans', href: buildLink(env, '/dashboard/plans') },
  ])
}
