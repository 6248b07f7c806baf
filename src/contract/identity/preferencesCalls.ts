import * as z from 'zod/mini'
import { LINK_PROBLEM, message } from '../common.ts'
import { endpoint } from '../endpoint.ts'
import { secretField } from '../text.ts'
import { preferences } from './preferences.ts'

const choice = (name: string) => z.optional(z.boolean({ error: `${name} is true or false` }))

export const changePreferences = endpoint({
  method: 'PATCH',
  path: '/users/preferences',
  scope: 'signed-in',
  summary:
    'Change any part of the preferences; what is not sent stays. Turning the activity log off deletes what is in it',
  status: 200,
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
export const unsubscribeFromMails = endpoint({
  method: 'POST',
  path: '/users/preferences/unsubscribe',
  scope: 'public',
  summary: 'Turn off the kind of mail that the token came with, in one click as in RFC 8058',
  status: 200,
  accepts: 'anything',
  body: z.object({ token: secretField(LINK_PROBLEM) }),
  answer: message,
  refusals: ['invalid_token'],
})
