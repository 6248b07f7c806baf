import * as z from 'zod/mini'
import type { ActivityEvent } from '../../../src/contract/auditActions.ts'
import { mailDateText } from '../../../src/contract/dates.ts'
import { describeBrowser } from '../../../src/contract/identity/browserNames.ts'
import { site } from '../../../src/site.ts'
import { DAY_MS } from '../../../src/time.ts'
import { recordActivity } from '../../http/audit.ts'
import type { Call } from '../../http/call.ts'
import { parseStored, runBatch, type Statement } from '../../lib/database.ts'
import type { Env } from '../../lib/env.ts'
import { composeNews, type Part } from '../../lib/mail/compose.ts'
import { deliverOutbox, enqueueMail, type Mail } from '../../lib/mail/outbox.ts'
import { toNetworkAddress } from '../../lib/networkAddress.ts'
import { pickRandomMs, runtime } from '../../lib/runtime.ts'
import { type AccountOwner, lockParts, newPasswordLink } from '../credentials/lockToken.ts'
import { type MailAllowance, toMailCap } from '../credentials/mailAllowance.ts'
import { buildAccountCounter } from '../credentials/tries.ts'

/** Facts that show whether a sign-in is unusual, and which mails its owner wants. */
export interface Habits {
  readonly unusualActivity: 0 | 1
  readonly newBrowserSignIn: 0 | 1
  readonly knowsDevice: 0 | 1
  readonly signedInBefore: 0 | 1
  /** JSON: the network addresses of the newest sessions since the last security change, before which an intruder may have signed in. */
  readonly addresses: string
}

/** Sign-ins before a security change count, although their browsers are forgotten. SQL: the columns of `Habits` except `knowsDevice`, for the user `u`, in the one query of a sign-in. */
export const HABITS = `
  coalesce((SELECT p.unusual_activity FROM preferences p WHERE p.user_id = u.id), 1) AS unusualActivity,
  coalesce((SELECT p.new_browser_sign_in FROM preferences p WHERE p.user_id = u.id), 0) AS newBrowserSignIn,
  (EXISTS (SELECT 1 FROM devices d WHERE d.user_id = u.id) OR u.security_changed_at > u.created_at) AS signedInBefore,
  (SELECT json_group_array(s.ip) FROM (
     SELECT ip FROM sessions WHERE user_id = u.id AND created_at >= coalesce(u.security_changed_at, 0) ORDER BY created_at DESC LIMIT 50) s) AS addresses`

const RECOVERY_MAILS: MailAllowance = { name: 'mail-recovery-code', max: 3, windowMs: DAY_MS }
const NEW_PLACE_MAILS: MailAllowance = { name: 'mail-new-place', max: 3, windowMs: DAY_MS }
const NEW_BROWSER_MAILS: MailAllowance = { name: 'mail-new-browser', max: 5, windowMs: DAY_MS }
const GUESSED_MAILS: MailAllowance = { name: 'mail-guessed', max: 1, windowMs: DAY_MS }

type Person = AccountOwner & Habits

/**
 * The activity entry of a sign-in and at most one mail, the most important one. docs/decisions/0008 lists which sign-ins are
 * mailed.
 */
export async function buildSignInNotices(
  call: Call,
  person: Person,
  { action, withRecoveryCode }: { readonly action: ActivityEvent; readonly withRecoveryCode: boolean },
): Promise<{ statements: readonly Statement[]; mails: boolean }> {
  const mail = await pickSignInMail(call, person, withRecoveryCode)
  return {
    statements: [
      ...(withRecoveryCode ? [recordActivity(call, person.id, 'recovery_code_used')] : []),
      recordActivity(call, person.id, action),
      ...(mail === null ? [] : await enqueueMail(call.env, mail, call.nowMs)),
    ],
    mails: mail !== null,
  }
}

async function pickSignInMail(call: Call, person: Person, withRecoveryCode: boolean): Promise<Mail | null> {
  const { env, nowMs } = call
  const wants = { warning: person.unusualActivity === 1, newBrowser: person.newBrowserSignIn === 1 }
  // The very first sign-in is always from a new place.
  const isNewBrowser = person.signedInBefore === 1 && person.knowsDevice === 0
  if (withRecoveryCode && wants.warning)
    return {
      ...(await buildRecoveryCodeMail(env, person, call, nowMs)),
      atMost: toMailCap(RECOVERY_MAILS, person.id),
    }
  if (isNewBrowser && wants.newBrowser)
    return {
      ...(await buildNewBrowserMail(env, person, call, nowMs)),
      atMost: toMailCap(NEW_BROWSER_MAILS, person.id),
    }
  if (isNewBrowser && wants.warning && isNewNetwork(call.ip, person))
    return {
      ...(await buildNewPlaceMail(env, person, call, nowMs)),
      atMost: toMailCap(NEW_PLACE_MAILS, person.id),
    }
  return null
}

const storedAddresses = z.array(z.nullable(z.string()))

function isNewNetwork(ip: string, { addresses }: Habits): boolean {
  const earlier = parseStored(storedAddresses, addresses).map((address) => toNetworkAddress(address ?? ''))
  return !earlier.includes(toNetworkAddress(ip))
}

/**
 * Records a failed sign-in to an existing account and mails the owner once the limit is reached. Runs after the answer with a
 * random delay, so that response times do not reveal whether the account exists.
 */
export async function recordFailedSignIn(
  call: Call,
  person: AccountOwner & Pick<Habits, 'unusualActivity'> & { readonly emailVerifiedAt: number | null },
): Promise<void> {
  const { db, env, nowMs } = call
  await runtime.wait(pickRandomMs(100, 500))
  const counter = await buildAccountCounter(person.email)
  const wantsMail = person.unusualActivity === 1 && person.emailVerifiedAt !== null
  const isFull = wantsMail && (await countFailures(env, counter.key)) >= counter.max
  const mail = isFull
    ? {
        ...(await buildGuessedMail(env, person, counter.max, nowMs)),
        atMost: toMailCap(GUESSED_MAILS, person.id),
      }
    : null
  await runBatch(db, [
    recordActivity(call, person.id, 'sign_in_failed'),
    ...(mail === null ? [] : await enqueueMail(env, mail, nowMs)),
  ])
  if (mail !== null) await deliverOutbox(env, db, runtime.now())
}

async function countFailures(env: Env, key: string): Promise<number> {
  const row = await env.DB.prepare('SELECT failed FROM rate_counters WHERE key = ?')
    .bind(key)
    .first<{ failed: number }>()
  return row?.failed ?? 0
}

type Where = Pick<Call, 'ip' | 'userAgent'>

/** Either the owner lost the phone or a thief has a code. */
function buildRecoveryCodeMail(env: Env, to: AccountOwner, where: Where, nowMs: number): Promise<Mail> {
  return buildWarningMail(env, to, nowMs, 'A recovery code was used to sign in', [
    `Somebody signed in to your account at ${site.brand} with your password and one of your recovery codes. That code no longer works.`,
    signInWords(where, nowMs),
  ])
}

function buildNewPlaceMail(env: Env, to: AccountOwner, where: Where, nowMs: number): Promise<Mail> {
  return buildWarningMail(env, to, nowMs, 'A sign-in from somewhere new', [
    `Somebody signed in to your account at ${site.brand} from a new browser and a new network.`,
    signInWords(where, nowMs),
  ])
}

/** For owners who chose mails about each new browser. */
function buildNewBrowserMail(env: Env, to: AccountOwner, where: Where, nowMs: number): Promise<Mail> {
  return buildWarningMail(env, to, nowMs, 'A sign-in from a new browser', [
    `Somebody signed in to your account at ${site.brand} from a new browser.`,
    signInWords(where, nowMs),
  ])
}

function buildGuessedMail(env: Env, to: AccountOwner, failures: number, nowMs: number): Promise<Mail> {
  return buildWarningMail(env, to, nowMs, 'Failed sign-ins to your account', [
    `Somebody tried to sign in to your account at ${site.brand} ${failures} times within 15 minutes, and failed. We block further tries for 15 minutes. You can still sign in from a browser that you used before${to.role === 'investor' ? ', or with a link that the sign-in page mails you' : ''}.`,
    'None of these tries succeeded. The activity log in your profile lists them.',
  ])
}

async function buildWarningMail(
  env: Env,
  to: AccountOwner,
  nowMs: number,
  subject: string,
  parts: readonly Part[],
): Promise<Mail> {
  const mailOnly = [
    ...(await lockParts(env, to, nowMs)),
    'This is a warning about your account, so it has no link to unsubscribe. Your profile has the settings.',
  ]
  const news = [
    ...parts,
    'If it was you, you do not need to do anything. If not, choose a new password at once.',
    newPasswordLink(env),
  ]
  return composeNews(to.email, subject, to.displayName, [...news, ...mailOnly], mailOnly)
}

// Names the browser in our words, because a stranger controls the user agent.
function signInWords({ ip, userAgent }: Where, nowMs: number): string {
  const at = mailDateText(nowMs)
  return `When: ${at}. Browser: ${describeBrowser(userAgent) ?? 'unknown'}. Network address: ${ip}.`
}
