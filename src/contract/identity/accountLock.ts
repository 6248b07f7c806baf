import * as z from 'zod/mini'
import { LINK_PROBLEM, message } from '../common.ts'
import { endpoint } from '../endpoint.ts'
import { secretField } from '../text.ts'

export const lockAccount = endpoint({
  method: 'POST',
  path: '/auth/lock-account',
  scope: 'public',
  summary:
    'Freeze one’s own account and end all its sessions with the token of a security mail. Pressed again, it answers the same',
  status: 200,
  body: z.object({ token: secretField(LINK_PROBLEM) }),
  answer: message,
  limit: { name: 'lock-account', per: 'address', max: 60, windowSeconds: 3600 },
  refusals: ['invalid_token'],
})
