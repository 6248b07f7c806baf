import * as z from 'zod/mini'
import { message } from '../common.ts'
import { endpoint } from '../endpoint.ts'
import { optionalLines, optionalText, phoneField } from '../fields.ts'
import { newPasswordField } from './passwords.ts'
import { countryField } from './registration.ts'

/** Treats a blank value as not sent. */
function withBlankAsAbsent<T extends z.ZodMiniType>(field: T) {
  return z.union([
    z.pipe(
      z.literal(''),
      z.transform(() => undefined),
    ),
    z.optional(z.nullable(field)),
  ])
}

const seen = z.optional(
  z.pipe(
    z.union([z.literal(true), z.literal('true')], { error: 'seen can only be true' }),
    z.transform(() => true as const),
  ),
)

/** What an investor may change. Unknown fields are ignored. */
const profileChange = z.object({
  seen,
  /** The notification that was seen, so that a newer one stays unseen. Without it, the current one is meant. */
  notification: z.optional(z.object({ title: z.string(), content: z.string() })),
  gender: optionalText(60),
  fullname: optionalText(120),
  displayName: optionalText(120),
  phone: withBlankAsAbsent(phoneField()),
  country: withBlankAsAbsent(countryField()),
  maritalStatus: optionalText(60),
  address: optionalLines(300),
  currentPassword: z.optional(
    z.nullable(
      z
        .string({ error: 'Please give your current password' })
        .check(z.maxLength(256, 'Please use at most 256 characters')),
    ),
  ),
  newPassword: withBlankAsAbsent(newPasswordField('Please choose a new password')),
})

export const profileForm = z.looseObject({})

export const patchUserInfo = endpoint('PATCH', '/users/user-info', 'signed-in', {
  summary: 'Dismiss the notification, change personal information, or change the password',
  accepts: 'either',
  body: profileChange,
  answer: message,
  limit: { name: 'profile', per: 'account', max: 300, windowSeconds: 3600 },
  refusals: ['wrong_password'],
})
