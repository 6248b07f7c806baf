import * as z from 'zod/mini'
import { LINK_PROBLEM, message } from '../common.ts'
import { endpoint } from '../endpoint.ts'
import { secretField } from '../fields.ts'

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

export const showPreferences = endpoint('GET', '/users/preferences', 'signed-in', {
  summary: 'Whether one’s activity is logged, and which mails one gets',
  answer: preferences,
})

const choice = (name: string) => z.optional(z.boolean({ error: `${name} is true or false` }))

export const changePreferences = endpoint('PATCH', '/users/preferences', 'signed-in', {
  summary:
    'Change any part of the preferences; what is not sent stays. Turning the activity log off deletes what is in it',
  body: z.object({
    activityLog: choice('activityLog'),
    emails: z.optional(
      z.object(
        {
          unusualActivity: choice('unusualActivity'),
          newBrowserSignIn: choice('newBrowserSignIn'),
          salesNews: choice('salesNews'),
          features: choice('features'),
          tips: choice('tips'),
        },
        { error: 'emails is an object of the kinds of mail' },
      ),
    ),
  }),
  answer: preferences,
  limit: { name: 'preferences', per: 'account', max: 300, windowSeconds: 3600 },
})

/** Without a limit: a mail provider sends the presses of all its users from a few addresses (RFC 8058). */
export const unsubscribeFromMails = endpoint('POST', '/users/preferences/unsubscribe', 'public', {
  summary: 'Turn off the kind of mail that the token came with, in one click as in RFC 8058',
  accepts: 'anything',
  body: z.object({ token: secretField(LINK_PROBLEM) }),
  answer: message,
  refusals: ['invalid_token'],
})
