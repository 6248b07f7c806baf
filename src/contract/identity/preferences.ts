import * as z from 'zod/mini'
import { endpoint } from '../endpoint.ts'

/**
 * The kinds of mail that somebody may turn off, and with one click in each such mail. What an account's owner must learn
 * (a new password, a second factor turned off, another e-mail address, a lock) is none of them: it always comes.
 */
export const MAIL_KINDS = ['unusualActivity', 'newBrowserSignIn', 'salesNews', 'features', 'tips'] as const
export type MailKind = (typeof MAIL_KINDS)[number]

/** Those of them that operators write, as announcements. */
export const NEWS_TOPICS = ['salesNews', 'features', 'tips'] as const satisfies readonly MailKind[]
export type NewsTopic = (typeof NEWS_TOPICS)[number]

const emails = z.object({
  unusualActivity: z.boolean(),
  newBrowserSignIn: z.boolean(),
  salesNews: z.boolean(),
  features: z.boolean(),
  tips: z.boolean(),
})

/** What somebody chose: whether their activity is logged, and which mails they want. */
export const preferences = z.object({ activityLog: z.boolean(), emails })
export type Preferences = z.output<typeof preferences>

/** Of whoever has not chosen. */
export const DEFAULT_PREFERENCES: Preferences = {
  activityLog: true,
  emails: { unusualActivity: true, newBrowserSignIn: false, salesNews: true, features: true, tips: true },
}

export const showPreferences = endpoint({
  method: 'GET',
  path: '/users/preferences',
  scope: 'signed-in',
  summary: 'Whether one’s activity is logged, and which mails one gets',
  status: 200,
  answer: preferences,
})
