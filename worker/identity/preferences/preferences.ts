import { eq } from 'drizzle-orm'
import type { changePreferences as endpoint } from '../../../src/contract/identity/preferences.ts'
import { DEFAULT_PREFERENCES, type Preferences } from '../../../src/contract/identity/preferences.ts'
import { site } from '../../../src/site.ts'
import { type ActorCall, type Answer, type CallOf, type Effect, ok } from '../../http/call.ts'
import type { Database } from '../../lib/database.ts'
import type { Env } from '../../lib/env.ts'
import { composeMail, linkTo } from '../../lib/mail/compose.ts'
import type { Mail } from '../../lib/mail/outbox.ts'
import { preferences } from '../../lib/tables/people.ts'
import { lockParts } from '../credentials/lockToken.ts'
import { capOf, type MailAllowance } from '../credentials/mailAllowance.ts'

/** The actor's preferences, whole. */
export async function showPreferences({ db, actor }: ActorCall): Promise<Answer<Preferences>> {
  return ok(await preferencesOf(db, actor.id))
}

type ChangeCall = CallOf<typeof endpoint>

/** Whoever holds a stolen session and switches to and fro must not fill the owner’s mailbox. */
const WATCH_OFF_MAILS: MailAllowance = { name: 'mail-watch-off', max: 3, windowMs: 24 * 3_600_000 }

/**
 * Changes what was sent of the actor's preferences, and answers all of them. With the activity log turned off nothing is
 * written into it from then on, and what is in it is deleted in the same moment: the database sees to both. Turning off
 * what would tell of a stranger, that log or the mails on unusual activity, is itself told by a mail that always comes.
 */
export async function changePreferences(call: ChangeCall): Promise<Answer<Preferences>> {
  const { actor, body, db, nowMs } = call
  const sent = { ...given({ activityLog: body.activityLog }), ...given(body.emails ?? {}) }
  const before = await preferencesOf(db, actor.id)
  if (Object.keys(sent).length === 0) return ok(before)
  const after: Preferences = {
    activityLog: body.activityLog ?? before.activityLog,
    emails: { ...before.emails, ...given(body.emails ?? {}) },
  }
  await call.commit({
    statements: [
      db
        .insert(preferences)
        .values({ userId: actor.id, ...sent, changedAt: nowMs })
        .onConflictDoUpdate({ target: preferences.userId, set: { ...sent, changedAt: nowMs } }),
    ],
    audit: [{ action: 'preferences.changed', subject: actor.id, detail: sent }],
    ...(await toldOf(call, before, after)),
  })
  return ok(after)
}

/** Only what was sent: what was not stays as it is. */
function given<T extends Readonly<Record<string, boolean | undefined>>>(choices: T) {
  return Object.fromEntries(Object.entries(choices).filter(([, choice]) => choice !== undefined)) as {
    [Name in keyof T]?: boolean
  }
}

async function toldOf(
  { actor, env, nowMs }: ChangeCall,
  before: Preferences,
  after: Preferences,
): Promise<Pick<Effect, 'mails'>> {
  const log = before.activityLog && !after.activityLog
  const warnings = before.emails.unusualActivity && !after.emails.unusualActivity
  if (!log && !warnings) return {}
  const mail = await watchOffMail(env, { ...actor, displayName: actor.name }, { log, warnings }, nowMs)
  return { mails: [{ ...mail, atMost: capOf(WATCH_OFF_MAILS, actor.id) }] }
}

/** What somebody chose; the defaults while they chose nothing. */
async function preferencesOf(db: Database, userId: string): Promise<Preferences> {
  const [row] = await db.select().from(preferences).where(eq(preferences.userId, userId))
  if (row === undefined) return DEFAULT_PREFERENCES
  const { activityLog, unusualActivity, newBrowserSignIn, salesNews, features, tips } = row
  return { activityLog, emails: { unusualActivity, newBrowserSignIn, salesNews, features, tips } }
}

/** What was turned off that would have told of a stranger. */
interface Watch {
  readonly log: boolean
  readonly warnings: boolean
}

/** Always comes: a stranger who goes unseen would begin with this. */
async function watchOffMail(
  env: Env,
  to: { id: string; email: string; displayName: string; role: 'investor' | 'operator' },
  off: Watch,
  nowMs: number,
): Promise<Mail> {
  const what = [
    ...(off.log ? ['the activity log, which was emptied'] : []),
    ...(off.warnings ? ['mails about unusual activity'] : []),
  ].join(' and ')
  return composeMail(to.email, 'Fewer warnings for your account', to.displayName, [
    `this was turned off for your account at ${site.brand}: ${what}. A changed password, e-mail address or second factor is still told by mail.`,
    'If it was not you, choose a new password at once, turn it on again in your profile, and write to us.',
    { label: 'Choose a new password', href: linkTo(env, '/forgot-password') },
    ...(await lockParts(env, to, nowMs)),
  ])
}
