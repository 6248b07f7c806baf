import * as z from 'zod/mini'

/** The sentence for a toast. */
export const message = z.object({ msg: z.string() })
export type Message = z.output<typeof message>

/** What filing a request answers. */
export const filed = z.object({
  msg: z.string(),
  ref: z.string(),
  _id: z.string(),
  heldUntil: z.optional(z.string()),
})
export type Filed = z.output<typeof filed>

/** ISO 8601 in UTC with milliseconds. */
export const isoTime = z.string()

const LIMIT_PROBLEM = 'limit is a whole number from 1 to 100'

/** `?limit=&cursor=` of every list. The cursor is opaque; whether it is one of ours is checked where it is opened. */
export const page = {
  limit: z.pipe(
    z.optional(z.string()),
    z.transform((value, context) => {
      const limit = value === undefined ? 50 : /^[1-9]\d{0,2}$/.test(value) ? Number(value) : 0
      if (limit < 1 || limit > 100) {
        context.issues.push({ code: 'custom', message: LIMIT_PROBLEM, input: value })
        return z.NEVER
      }
      return limit
    }),
  ),
  cursor: z.optional(z.string().check(z.regex(/^[A-Za-z0-9_-]{1,200}$/, 'That cursor is not one of ours'))),
}

export const pageQuery = z.object(page)

/** Said of a mailed link that lost a part on its way. */
export const LINK_PROBLEM = 'This link is incomplete. Please open it from the mail again'

const DATE = /^\d{4}-\d{2}-\d{2}(?:T\d{2}:\d{2}(?::\d{2}(?:\.\d{1,3})?)?Z)?$/

/** A day (`2026-01-31`, in UTC) or a time (`2026-01-31T09:30:00.000Z`), to epoch milliseconds. A day as `to` ends with that day. */
export function timeFilter(edge: 'from' | 'to') {
  return z.pipe(
    z.optional(z.string()),
    z.transform((value, context) => {
      if (value === undefined || value === '') return undefined
      const ms = DATE.test(value) ? Date.parse(value) : Number.NaN
      // Date.parse takes 2026-02-31 for March 3: such a day does not exist.
      const exists = !Number.isNaN(ms) && new Date(ms).toISOString().startsWith(value.slice(0, 10))
      if (!exists) {
        context.issues.push({ code: 'custom', message: `${edge} is a day like 2026-01-31`, input: value })
        return z.NEVER
      }
      return edge === 'to' && value.length === 10 ? ms + 86_400_000 - 1 : ms
    }),
  )
}
