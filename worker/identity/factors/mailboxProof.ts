import { REFUSALS } from '../../../src/contract/errors.ts'
import { site } from '../../../src/site.ts'
import type { ActorCall } from '../../http/call.ts'
import { readTogether, type Statement } from '../../lib/database.ts'
import { refuse } from '../../lib/errors.ts'
import { composeMail } from '../../lib/mail/compose.ts'
import type { Mail } from '../../lib/mail/outbox.ts'
import { recordWrongCode } from '../credentials/codeLimit.ts'
import { lockParts, newPasswordLink } from '../credentials/lockToken.ts'
import {
  type Bound,
  CODE_MINUTES,
  compareMailedCode,
  refuseMailedCodes,
  splitLongNumbers,
  tryCodes,
} from '../mailedCodes/codes.ts'
import { mailCode } from '../mailedCodes/mailCode.ts'

/** A second factor to add. */
export interface NewFactor {
  /** Its name in the mail: "an authenticator app". */
  readonly words: string
  /** From `hashContext`: the mailed code confirms only this factor. */
  readonly context: string
  /** The mailed code, if it was sent. */
  readonly proof: string | undefined
  /** Statements for the batch that mails the code. */
  readonly mailedWith?: readonly Statement[]
}

/**
 * Checks the mailed code that confirms a new second factor, and returns the statements that mark it as used. Without a code it
 * mails one and refuses `step_up_required`. A wrong, used or expired code is `invalid_code` and counts as a try. So a password
 * or a session alone cannot add a factor.
 */
export async function proveMailbox(call: ActorCall, factor: NewFactor): Promise<readonly Statement[]> {
  const { actor, db, env, nowMs } = call
  const bound: Bound = { investor: actor.id, amountCents: 0, destinationHash: factor.context }
  const proof = factor.proof?.replace(/[\s-]/g, '')
  if (!proof) return mailProofCode(call, bound, factor)
  const [[limit], codes] = await readTogether(db, ...tryCodes(env, bound, nowMs))
  const checked = await compareMailedCode(env, { limit, codes }, proof, nowMs)
  if (checked.state === 'too many codes') return refuseMailedCodes(checked.retryAfterSeconds)
  if (checked.state === 'wrong code') {
    if (codes.length > 0) await recordWrongCode(db, env, actor, 'mailed', nowMs)
    // The field shows which of the two codes is wrong.
    return refuse('invalid_code', { fields: { proof: REFUSALS.invalid_code[1] } })
  }
  return checked.spend
}

async function mailProofCode(
  call: ActorCall,
  bound: Bound,
  { words, mailedWith }: NewFactor,
): Promise<never> {
  const { actor } = call
  const lock = await lockParts(call.env, actor, call.nowMs)
  await mailCode(call, {
    bound,
    mailOf: (code) => buildCodeMail(call, words, code, lock),
    audit: { action: 'two_factor.code_mailed', subject: actor.id },
    ...(mailedWith !== undefined && { statements: mailedWith }),
  })
  return refuse('step_up_required', {
    msg: 'We sent you a code by e-mail. Enter it to confirm the new second factor.',
    methods: ['email'],
    reasons: ['new_factor'],
  })
}

/** `splitLongNumbers` keeps other numbers from looking like the code. */
function buildCodeMail(
  { env, actor }: ActorCall,
  words: string,
  code: string,
  lock: Awaited<ReturnType<typeof lockParts>>,
): Mail {
  return composeMail(actor.email, 'Confirm your new second factor', splitLongNumbers(actor.displayName), [
    `You asked to add ${splitLongNumbers(words)} to your account at ${site.brand}.`,
    `The code is ${code}`,
    `The code works once, within ${CODE_MINUTES} minutes, and for this change only. Nobody from ${site.brand} will ever ask you for it.`,
    'If it was not you, somebody else is in your account. Do not share the code, and choose a new password at once.',
    newPasswordLink(env),
    ...lock,
  ])
}
