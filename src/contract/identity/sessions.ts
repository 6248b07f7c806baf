import * as z from 'zod/mini'
import { isoTime, pageQuery } from '../common.ts'
import { endpoint } from '../endpoint.ts'

/** A live session. The id is not secret and cannot be used to sign in. */
export const sessionRow = z.object({
  _id: z.string(),
  createdAt: isoTime,
  lastSeenAt: isoTime,
  expiresAt: isoTime,
  /** The network address that opened it. */
  ip: z.nullable(z.string()),
  userAgent: z.nullable(z.string()),
  /** Whether this call uses it. */
  current: z.boolean(),
})
export type SessionRow = z.output<typeof sessionRow>

export const listSessions = endpoint('GET', '/users/sessions', 'signed-in', {
  summary: 'Your own live sessions, newest first, without ended and expired ones',
  query: pageQuery,
  answer: z.array(sessionRow),
})

export const endOtherSessions = endpoint('DELETE', '/users/sessions', 'signed-in', {
  summary: 'End all your other sessions, and revoke all your keys for programs and guest links',
  status: 204,
})

export const endSession = endpoint('DELETE', '/users/sessions/:id', 'signed-in', {
  summary: 'End one of your own live sessions, including the current one',
  status: 204,
})
