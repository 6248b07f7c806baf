import * as z from 'zod/mini'
import { endpoint } from '../endpoint.ts'
import { phoneField } from '../phone.ts'
import { optionalText } from '../text.ts'
import { newPasswordField } from './passwords.ts'
import { profileCall } from './profileCall.ts'
import { countryField } from './registration.ts'

/** Blank means "not sent": the forms send only what is filled in. */
function blankIsAbsent<T extends z.ZodMiniType>(field: T) {
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

/** What an investor may change about themselves. Anything else that is sent is ignored. */
const profileChange = z.object({
  seen,
  /** What was seen: another one that came meanwhile stays unseen. Left out, it is the one there is. */
  notification: z.optional(z.object({ title: z.string(), content: z.string() })),
  gender: optionalText(60),
  fullname: optionalText(120),
  displayName: optionalText(120),
  phone: blankIsAbsent(phoneField()),
  country: blankIsAbsent(countryField()),
  maritalStatus: optionalText(60),
  address: optionalText(300),
  currentPassword: z.optional(
    z.nullable(
      z
        .string({ error: 'Please give your current password' })
        .check(z.maxLength(256, 'Please use at most 256 characters')),
    ),
  ),
  newPassword: blankIsAbsent(newPasswordField('Please choose a new password')),
})

export const patchUserInfo = endpoint({
  ...profileCall,
  body: profileChange,
  limit: { name: 'profile', per: 'account', max: 300, windowSeconds: 3600 },
  refusals: ['wrong_password'],
})
