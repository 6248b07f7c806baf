import * as z from 'zod/mini'
import { isoTime, pageQuery } from '../common.ts'
import { endpoint } from '../endpoint.ts'

/** A live session as its owner sees it. Its id names it and opens nothing: the token's secret is not part of it. */
export const sessionRow = z.object({
  _id: z.string(),
  createdAt: isoTime,
  lastSeenAt: isoTime,
  expiresAt: isoTime,
  /** The network address that it was opened from. */
  ip: z.nullable(z.string()),
  userAgent: z.nullable(z.string()),
  /** Whether this very call came with it. */
  current: z.boolean(),
})
export type SessionRow = z.output<typeof sessionRow>

export const listSessions = endpoint('GET', '/users/sessions', 'signed-in', {
  summary: 'One’s own live sessions, newest first; ended and expired ones are not among them',
  query: pageQuery,
  answer: z.array(sessionRow),
})

export const endSession = endpoint('DELETE', '/users/sessions/:id', 'signed-in', {
  summary: 'End one of one’s own live sessions, also this one: its token is dead',
  status: 204,
})
