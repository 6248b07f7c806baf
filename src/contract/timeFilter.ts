import * as z from 'zod/mini'

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
