import * as z from 'zod/mini'
import { isoTime } from '../common.ts'
import { endpoint } from '../endpoint.ts'

/** A passkey as its owner sees it. */
export const passkey = z.object({
  _id: z.string(),
  name: z.string(),
  createdAt: isoTime,
  lastUsedAt: z.nullable(isoTime),
  /** Whether it is kept in an account of its maker’s, from where it comes to other devices. */
  backedUp: z.boolean(),
})
export type Passkey = z.output<typeof passkey>

export const listPasskeys = endpoint({
  method: 'GET',
  path: '/users/passkeys',
  scope: 'signed-in',
  summary: 'One’s own passkeys, newest first. At most ten, on one page',
  status: 200,
  answer: z.array(passkey),
})
