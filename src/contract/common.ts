import * as z from 'zod/mini'
import { DAY_MS } from '../time.ts'

export const message = z.object({ msg: z.string() })
export type Message = z.output<typeof message>

export const filed = z.object({
  msg: z.string(),
  ref: z.string(),
  _id: z.string(),
  heldUntil: z.optional(z.string()),
})
export type FiledRequest = z.output<typeof filed>

/** ISO 8601 in UTC with milliseconds. */
export const isoTime = z.string()

/** Refuses a value within `z.transform`, with a message for people. */
export function refuseValue(context: z.core.ParsePayload, message: string): never {
  context.issues.push({ code: 'custom', message, input: context.value })
  return z.NEVER
}

/** `?limit=&cursor=` of every list. The cursor is opaque: only the list that issued it can read it. */
export const page = {
  limit: z.pipe(
    z.optional(z.string()),
    z.transform((value, context) => {
      const limit = value === undefined ? 50 : /^[1-9]\d{0,2}$/.test(value) ? Number(value) : 0
      return limit < 1 || limit > 100 ? refuseValue(context, 'limit is a whole number from 1 to 100') : limit
    }),
  ),
  cursor: z.optional(z.string().check(z.regex(/^[A-Za-z0-9_-]{1,200}$/, 'That cursor is not one of ours'))),
}

export const pageQuery = z.object(page)

export const formatQuery = z.optional(z.enum(['json', 'csv'], { error: 'format is json or csv' }))

/* @__NO_SIDE_EFFECTS__ */
export function choice<const T extends readonly string[]>(options: T, problem: string) {
  return z.enum(options, { error: problem })
}

/** A filter of a list by one of these values. Blank means no filter. */
/* @__NO_SIDE_EFFECTS__ */
export function filter<const T extends readonly string[]>(
  name: string,
  options: T,
  problem = `${name} is one of ${options.join(', ')}`,
) {
  return z.pipe(
    z.optional(z.union([z.enum(options), z.literal('')], { error: problem })),
    z.transform((value) => (value === '' ? undefined : (value as T[number] | undefined))),
  )
}

const DATE = /^\d{4}-\d{2}-\d{2}(?:T\d{2}:\d{2}(?::\d{2}(?:\.\d{1,3})?)?Z)?$/

/**
 * Parses a UTC day (`2026-01-31`) or a time (`2026-01-31T09:30:00.000Z`) to epoch milliseconds. `to` includes the whole
 * day.
 */
function timeFilter(edge: 'from' | 'to') {
  return z.pipe(
    z.optional(z.string()),
    z.transform((value, context) => {
      if (value === undefined || value === '') return undefined
      const ms = DATE.test(value) ? Date.parse(value) : Number.NaN
      // Date.parse reads 2026-02-31 as March 3, so the day is compared.
      if (Number.isNaN(ms) || !new Date(ms).toISOString().startsWith(value.slice(0, 10)))
        return refuseValue(context, `${edge} is a day like 2026-01-31`)
      return edge === 'to' && value.length === 10 ? ms + DAY_MS - 1 : ms
    }),
  )
}

/** `?from=&to=` of a list. Spread both into a query, and let it check `periodInOrder`. */
export const period = { from: timeFilter('from'), to: timeFilter('to') }

/** Refuses a period that ends before it begins. */
export const periodInOrder = z.refine<{ from?: number | undefined; to?: number | undefined }>(
  ({ from, to }) => from === undefined || to === undefined || from <= to,
  { path: ['to'], error: 'The last day comes before the first' },
)

/** The error for an incomplete mailed link. */
export const LINK_PROBLEM = 'This link is incomplete. Please open it from the mail again'

/** Where the prices of a strategy come from. Money is simulated on all of them. */
export const tradedMarket = z.object({
  id: z.enum(['simulated', 'kraken', 'coinbase']),
  name: z.string(),
  /** Whether these are real prices. They are generated on the simulated market. */
  real: z.boolean(),
})
export type TradedMarket = z.output<typeof tradedMarket>
