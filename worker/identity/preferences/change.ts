import type { BodyOf } from '../../../src/contract/endpoint.ts'
import type { Preferences } from '../../../src/contract/identity/preferences.ts'
import type { changePreferences as endpoint } from '../../../src/contract/identity/preferencesCalls.ts'
import { type ActorCall, type Answer, type CheckedCall, type Effect, ok } from '../../http/call.ts'
import { preferences } from '../../lib/tables/people.ts'
import { capOf, type MailAllowance } from '../credentials/mailAllowance.ts'
import { watchOffMail } from './mails.ts'
import { preferencesOf } from './standing.ts'

type ChangeCall = CheckedCall<BodyOf<typeof endpoint>, undefined> & ActorCall

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
