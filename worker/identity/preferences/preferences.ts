import { eq } from 'drizzle-orm'
import type { changePreferences as endpoint } from '../../../src/contract/identity/preferences.ts'
import { DEFAULT_PREFERENCES, type Preferences } from '../../../src/contract/identity/preferences.ts'
import { site } from '../../../src/site.ts'
import { DAY_MS } from '../../../src/time.ts'
import { type ActorCall, type Answer, type CallOf, ok } from '../../http/call.ts'
import type { Database } from '../../lib/database.ts'
import type { Mail } from '../../lib/mail/outbox.ts'
import { preferences } from '../../lib/tables/people.ts'
import { buildSecurityMail } from '../credentials/lockToken.ts'
import { type MailAllowance, toMailCap } from '../credentials/mailAllowance.ts'

export async function showPreferences({ db, actor }: ActorCall): Promise<Answer<Preferences>> {
  return ok(await readPreferences(db, actor.id))
}

type ChangeCall = CallOf<typeof endpoint>

/** Keeps a stolen session that toggles the setting from flooding the owner's mailbox. */
const WARNINGS_OFF_MAILS: MailAllowance = { name: 'mail-watch-off', max: 3, windowMs: DAY_MS }

/**
 * Changes the preferences that were sent, and returns all. When the activity log is turned off, the database empties it. The
 * owner always gets a mail when the log or a kind of warning is turned off.
 */
export async function changePreferences(call: ChangeCall): Promise<Answer<Preferences>> {
  const { actor, body, db, nowMs } = call
  const sent = { ...pickSent({ activityLog: body.activityLog }), ...pickSent(body.emails ?? {}) }
  const before = await readPreferences(db, actor.id)
  if (Object.keys(sent).length === 0) return ok(before)
  const after: Preferences = {
    activityLog: body.activityLog ?? before.activityLog,
    emails: { ...before.emails, ...pickSent(body.emails ?? {}) },
  }
  await call.commit({
    statements: [
      db
        .insert(preferences)
        .values({ userId: actor.id, ...sent, changedAt: nowMs })
        .onConflictDoUpdate({ target: preferences.userId, set: { ...sent, changedAt: nowMs } }),
    ],
    audit: [{ action: 'preferences.changed', subject: actor.id, detail: sent }],
    mails: await buildWarningsOffMails(call, before, after),
  })
  return ok(after)
}

/** The choices that were sent. */
function pickSent<T extends Readonly<Record<string, boolean | undefined>>>(choices: T) {
  return Object.fromEntries(Object.entries(choices).filter(([, choice]) => choice !== undefined)) as {
    [Name in keyof T]?: boolean
  }
}

/** The mail that warnings were turned off. No preference disables it: an intruder would turn warnings off first. */
async function buildWarningsOffMails(
  { actor, env, nowMs }: ActorCall,
  before: Preferences,
  after: Preferences,
): Promise<Mail[]> {
  const off = [
    ...(before.activityLog && !after.activityLog ? ['the activity log (its entries were deleted)'] : []),
    ...(before.emails.unusualActivity && !after.emails.unusualActivity
      ? ['mails about unusual activity']
      : []),
    ...(before.emails.newBrowserSignIn && !after.emails.newBrowserSignIn
      ? ['mails about sign-ins from a new browser']
      : []),
  ]
  if (off.length === 0) return []
  const mail = await buildSecurityMail(
    env,
    actor,
    nowMs,
    'Security warnings were turned off',
    [
      `This was turned off for your account at ${site.brand}: ${off.join(' and ')}. We still mail you when your password, e-mail address or second factor changes.`,
    ],
    'If it was not you, choose a new password at once, turn the warnings on again in your profile, and write to us.',
  )
  return [{ ...mail, atMost: toMailCap(WARNINGS_OFF_MAILS, actor.id) }]
}

/** A user's preferences; the defaults if none are stored. */
async function readPreferences(db: Database, userId: string): Promise<Preferences> {
  const [row] = await db.select().from(preferences).where(eq(preferences.userId, userId))
  if (row === undefined) return DEFAULT_PREFERENCES
  const { activityLog, unusualActivity, newBrowserSignIn, salesNews, features, tips } = row
  return { activityLog, emails: { unusualActivity, newBrowserSignIn, salesNews, features, tips } }
}
