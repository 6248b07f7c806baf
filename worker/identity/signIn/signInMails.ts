import { browserInWords } from '../../../src/contract/identity/browserNames.ts'
import { site } from '../../../src/site.ts'
import type { Call } from '../../http/call.ts'
import type { Env } from '../../lib/env.ts'
import type { Part } from '../../lib/mail/compose.ts'
import { linkTo } from '../../lib/mail/linkTo.ts'
import { momentOf } from '../../lib/mail/moment.ts'
import type { Mail } from '../../lib/mail/outbox.ts'
import { lockParts } from '../credentials/lockToken.ts'
import { composeOptionalMail, type Reader } from '../preferences/optionalMail.ts'

/** Who is told of a sign-in to their account. */
export interface Warned extends Reader {
  readonly role: 'investor' | 'operator'
}

type Where = Pick<Call, 'ip' | 'userAgent'>

/** Somebody signed in with a recovery code, which is what one does who lost the phone, or found the codes. */
export function recoveryCodeMail(env: Env, to: Warned, where: Where, nowMs: number): Promise<Mail> {
  return warning(env, to, 'unusualActivity', nowMs, 'A recovery code was used to sign in', [
    `somebody signed in to your account at ${site.brand} with your password and one of your recovery codes, which no longer works.`,
    signInWords(where, nowMs),
  ])
}

/** Somebody signed in from a browser and a network that both are new. */
export function newPlaceMail(env: Env, to: Warned, where: Where, nowMs: number): Promise<Mail> {
  return warning(env, to, 'unusualActivity', nowMs, 'A sign-in from somewhere new', [
    `somebody signed in to your account at ${site.brand} from a browser that it has not been used with before, over a network that is new as well.`,
    signInWords(where, nowMs),
  ])
}

/** Somebody signed in from a browser that is new, and its owner wants to hear of each. */
export function newBrowserMail(env: Env, to: Warned, where: Where, nowMs: number): Promise<Mail> {
  return warning(env, to, 'newBrowserSignIn', nowMs, 'A sign-in from a new browser', [
    `somebody signed in to your account at ${site.brand} from a browser that it has not been used with before.`,
    signInWords(where, nowMs),
  ])
}

/** So many sign-ins failed that further ones wait. */
export function guessedMail(env: Env, to: Warned, failures: number, nowMs: number): Promise<Mail> {
  return warning(env, to, 'unusualActivity', nowMs, 'Failed sign-ins to your account', [
    `somebody tried ${failures} times within 15 minutes to sign in to your account at ${site.brand}, and failed. Further tries wait for a quarter of an hour. A browser that you used before still lets you in.`,
    'Nobody got in this way. The activity log in your profile has the tries.',
  ])
}

async function warning(
  env: Env,
  to: Warned,
  kind: 'unusualActivity' | 'newBrowserSignIn',
  nowMs: number,
  subject: string,
  told: readonly Part[],
): Promise<Mail> {
  return composeOptionalMail(env, to, kind, {
    subject,
    parts: [
      ...told,
      'If it was you, there is nothing to do. If not, choose a new password at once.',
      { label: 'Choose a new password', href: linkTo(env, '/forgot-password') },
      ...(await lockParts(env, to, nowMs)),
    ],
  })
}

// The browser in words of ours: what it calls itself is the stranger's to choose.
function signInWords({ ip, userAgent }: Where, nowMs: number): string {
  const at = momentOf(nowMs)
  return `When: ${at}. Browser: ${browserInWords(userAgent) ?? 'none that we know'}. Network address: ${ip}.`
}
