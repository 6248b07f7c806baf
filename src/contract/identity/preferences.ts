import * as z from 'zod/mini'
import { LINK_PROBLEM, message } from '../common.ts'
import { endpoint } from '../endpoint.ts'
import { secretField } from '../fields.ts'

/**
 * The kinds of mail that a person may turn off in the profile. News also has a link for one click; warnings do not, and a mail
 * says when they were turned off. Security mails (new password, second factor, new e-mail address, withdrawals, lock) are
 * always sent.
 */
export const MAIL_KINDS = ['unusualActivity', 'newBrowserSignIn', 'salesNews', 'features', 'tips'] as const
export type MailKind = (typeof MAIL_KINDS)[number]

/** The topics that operators write about, as announcements. */
export const NEWS_TOPICS = ['salesNews', 'features', 'tips'] as const satisfies readonly MailKind[]
export type NewsTopic = (typeof NEWS_TOPICS)[number]

const emails = z.object({
  unusualActivity: z.boolean(),
  newBrowserSignIn: z.boolean(),
  salesNews: z.boolean(),
  features: z.boolean(),
  tips: z.boolean(),
})

/** Whether activity is logged, and which mails the person wants. */
export const preferences = z.object({ activityLog: z.boolean(), emails })
export type Preferences = z.output<typeof preferences>

/** For people who have not chosen. */
export const DEFAULT_PREFERENCES: Preferences = {
  activityLog: true,
  emails: { unusualActivity: true, newBrowserSignIn: false, salesNews: true, features: true, tips: true },
}

export const showPreferences = endpoint('GET', '/users/preferences', 'signed-in', {
  summary: 'Whether your activity is logged, and which mails you get',
  answer: preferences,
})

const choice = (name: string) => z.optional(z.boolean({ error: `${name} is true or false` }))

export const changePreferences = endpoint('PATCH', '/users/preferences', 'signed-in', {
  summary:
    'Change any of the preferences. Omitted ones keep their value. Turning the activity log off deletes it',
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

/** No limit: a mail provider sends the unsubscribe requests of all its users from a few addresses (RFC 8058). */
export const unsubscribeFromMails = endpoint('POST', '/users/preferences/unsubscribe', 'public', {
  summary: 'Turn off the kind of news that contained the token, in one click (RFC 8058)',
  accepts: 'anything',
  body: z.object({ token: secretField(LINK_PROBLEM) }),
  answer: message,
  refusals: ['invalid_token'],
})
