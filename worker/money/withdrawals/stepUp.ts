import { formatCents } from '../../../src/contract/money.ts'
import { STEP_UP_METHODS, type StepUpReason } from '../../../src/contract/withdrawals.ts'
import { site } from '../../../src/site.ts'
import type { ActorCall } from '../../http/call.ts'
import { waysToProve } from '../../identity/factors/factors.ts'
import { CODE_MINUTES } from '../../identity/mailedCodes/codes.ts'
import { assertMayMail } from '../../identity/mailedCodes/limits.ts'
import { mailCode } from '../../identity/mailedCodes/mailCode.ts'
import { withoutCodes } from '../../identity/mailedCodes/unlikeCode.ts'
import { limitsApply } from '../../lib/env.ts'
import { refuse } from '../../lib/errors.ts'
import { composeMail } from '../../lib/mail/compose.ts'
import type { Mail } from '../../lib/mail/outbox.ts'
import type { Facts } from './facts.ts'
import { askedOf, type Wish } from './wish.ts'

/**
 * Mails a code for just this amount and destination, puts the same question to the passkeys there are, and refuses
 * `step_up_required` with how and why.
 */
export async function askForProof(
  call: ActorCall,
  wish: Wish,
  reasons: readonly StepUpReason[],
  facts: Facts,
): Promise<never> {
  const { actor, nowMs, env } = call
  if (limitsApply(env)) assertMayMail(facts.mails, nowMs)
  const bound = {
    investor: actor.id,
    amountCents: wish.amountCents,
    destinationHash: wish.destination.hash,
  }
  const ways = await waysToProve(call, await askedOf(actor.id, wish), facts.factors)
  await mailCode(call, {
    bound,
    mailOf: (code) => codeMail(actor, wish, code),
    audit: {
      action: 'withdrawal.code_mailed',
      subject: actor.id,
      detail: { amountCents: wish.amountCents, reasons: reasons.join(' ') },
    },
    statements: ways.statements,
    mails: facts.mails,
  })
  return refuse('step_up_required', {
    ...ways.details,
    methods: STEP_UP_METHODS.filter((method) => method === 'email' || ways.details.methods.includes(method)),
    reasons: [...reasons],
  })
}

/** What tells the destination from another, where the few words do not say it all. */
function destinationFacts({ destination: { facts } }: Wish): string[] {
  return facts === '' ? [] : [withoutCodes(facts)]
}

/** The mail with the code. No other number in its text can be taken for it. */
function codeMail(to: { email: string; name: string }, wish: Wish, code: string): Mail {
  const amount = formatCents(wish.amountCents)
  return composeMail(to.email, 'Confirm your withdrawal', withoutCodes(to.name), [
    `You asked to withdraw ${amount} to ${withoutCodes(wish.destination.words)}.`,
    ...destinationFacts(wish),
    `The code is ${code}`,
    `It confirms this amount to this destination only, works once and for ${CODE_MINUTES} minutes. Nobody from ${site.brand} will ever ask you for it.`,
    `If you did not ask for this, give the code to nobody, change your password and write to ${withoutCodes(site.supportEmail)}.`,
  ])
}
