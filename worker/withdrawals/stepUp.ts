import { formatCents } from '../../src/contract/money.ts'
import { STEP_UP_METHODS, type StepUpReason } from '../../src/contract/withdrawals.ts'
import { site } from '../../src/site.ts'
import { waysToProve } from '../auth/factors.ts'
import { limitsApply } from '../env.ts'
import type { ActorCall } from '../lib/call.ts'
import { refuse } from '../lib/errors.ts'
import { composeMail } from '../lib/mail/compose.ts'
import type { Mail } from '../lib/mail/outbox.ts'
import { CODE_MINUTES, newCode } from './codes.ts'
import type { Facts } from './facts.ts'
import { assertMayMail, countMail, isMailRefused, refuseMail } from './limits.ts'
import { withoutCodes } from './unlikeCode.ts'
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
  const { db, actor, nowMs, env } = call
  const counts = limitsApply(env)
  if (counts) assertMayMail(facts.mails, nowMs)
  const bound = {
    investor: actor.id,
    amountCents: wish.amountCents,
    destinationHash: wish.destination.hash,
  }
  const { code, statements } = await newCode(env, db, bound, nowMs)
  const ways = await waysToProve(call, await askedOf(actor.id, wish), facts.factors)
  try {
    await call.commit({
      statements: [...(counts ? [countMail(db, actor.id, nowMs)] : []), ...statements, ...ways.statements],
      audit: [
        {
          action: 'withdrawal.code_mailed',
          subject: actor.id,
          detail: { amountCents: wish.amountCents, reasons: reasons.join(' ') },
        },
      ],
      mails: [codeMail(actor, wish, code)],
    })
  } catch (error) {
    if (isMailRefused(error)) refuseMail(facts.mails, nowMs)
    throw error
  }
  return refuse('step_up_required', {
    ...ways.details,
    methods: STEP_UP_METHODS.filter((method) => method === 'email' || ways.details.methods.includes(method)),
    reasons: [...reasons],
  })
}

/** The mail with the code. No other number in its text can be taken for it. */
function codeMail(to: { email: string; name: string }, wish: Wish, code: string): Mail {
  const amount = formatCents(wish.amountCents)
  return composeMail(to.email, 'Confirm your withdrawal', withoutCodes(to.name), [
    `You asked to withdraw ${amount} to ${withoutCodes(wish.destination.words)}.`,
    `The code is ${code}`,
    `It confirms this amount to this destination only, works once and for ${CODE_MINUTES} minutes. Nobody from ${site.brand} will ever ask you for it.`,
    `If you did not ask for this, give the code to nobody, change your password and write to ${withoutCodes(site.supportEmail)}.`,
  ])
}
