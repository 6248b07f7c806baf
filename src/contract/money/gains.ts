import * as z from 'zod/mini'
import { choice, isoTime, refuseValue } from '../common.ts'
import { endpoint } from '../endpoint.ts'

/** How a year's sales are matched with purchases. */
export const GAIN_METHODS = ['fifo', 'average', 'chosen'] as const
export type GainMethod = (typeof GAIN_METHODS)[number]

export const GAIN_METHOD_WORDS: Readonly<
  Record<GainMethod, { readonly label: string; readonly does: string }>
> = {
  fifo: {
    label: 'First in, first out',
    does: 'The units that you bought first are sold first, each at what it cost.',
  },
  average: {
    label: 'Average cost',
    does: 'Each unit costs the average of all units you own. Our statements use it too.',
  },
  chosen: {
    label: 'Lots that you choose',
    does: 'You say for each sale which purchases it sold. What you leave open is sold first in, first out.',
  },
}

/** The file formats of a report: our own columns, and those that two kinds of tax software import. */
export const GAIN_FORMATS = ['json', 'csv', 'koinly', 'form8949'] as const

/** An account with more purchases, sales and fees has no report. */
export const MOST_MOVEMENTS = 20_000
export const MOST_HOLDING_DAYS = 3_650

const named = { _id: z.string(), ref: z.nullable(z.string()), strategy: z.string(), at: isoTime }

/** Units bought together. Amounts in USD, also below. */
const lot = z.object({ ...named, units: z.number(), cost: z.number() })
export type GainLot = z.output<typeof lot>

/** Units sold together. A fee sells units too. */
const sale = z.object({ ...named, units: z.number(), proceeds: z.number(), isFee: z.boolean() })

/** The part of a sale that came from one purchase. */
const disposal = z.object({
  sale,
  lot: z.object(named),
  units: z.number(),
  proceeds: z.number(),
  cost: z.number(),
  gain: z.number(),
  /** Owned for more days than the year's holding period. */
  isLong: z.boolean(),
})
export type GainDisposal = z.output<typeof disposal>

const total = z.object({ proceeds: z.number(), cost: z.number(), gain: z.number() })

/** A coin paid in or out, and the USD that the ledger credited or took for it. */
const coinMovement = z.object({
  ref: z.string(),
  at: isoTime,
  coin: z.string(),
  quantity: z.string(),
  value: z.number(),
})

const report = z.object({
  disposals: z.array(disposal),
  short: total,
  long: total,
  /** Owned at the end of the year, or now. */
  lots: z.array(lot),
  paidIn: z.array(coinMovement),
  paidOut: z.array(coinMovement),
})
export type GainReport = z.output<typeof report>

const gains = z.object({
  year: z.number(),
  name: z.string(),
  /** The years with a purchase or sale, and the present one, newest first. */
  years: z.array(z.number()),
  /** Null until the method of the year is fixed: then there is no report yet. */
  rules: z.nullable(z.object({ method: z.enum(GAIN_METHODS), holdingDays: z.number(), fixedAt: isoTime })),
  report: z.nullable(report),
  /** Until the method is fixed: the year's sales, and the lots that they can take. */
  open: z.nullable(z.object({ sales: z.array(sale), lots: z.array(lot) })),
})
export type Gains = z.output<typeof gains>

const YEAR = 'year is a year from 2020 on'
const yearField = z.pipe(
  z.optional(z.string()),
  z.transform((text, context) => {
    if (text === undefined || text === '') return undefined
    return /^20[2-9]\d$/.test(text) ? Number(text) : refuseValue(context, YEAR)
  }),
)

export const getGains = endpoint('GET', '/gains', 'signed-in-or-key', {
  summary:
    'Gains and losses of a calendar year (UTC): each sale matched with its purchases, by the method that was fixed for the year. `format` returns a file: our columns, Koinly’s universal format, or the columns of Form 8949',
  query: z.object({
    year: yearField,
    format: z.optional(choice(GAIN_FORMATS, `format is one of ${GAIN_FORMATS.join(', ')}`)),
  }),
  answer: gains,
  limit: { name: 'statements', per: 'account', max: 60, windowSeconds: 600 },
  refusals: ['too_many_entries', 'conflict'],
})

const METHOD = 'Please choose a method'
const DAYS = `Please give a number of days from 0 to ${MOST_HOLDING_DAYS}`

export const fixGainMethod = endpoint('POST', '/gains', 'signed-in', {
  summary:
    'Choose the method of a year before its first report. The choice is final. Years must be chosen in order: an earlier year is refused afterwards',
  status: 201,
  body: z.object({
    year: z.number({ error: YEAR }).check(z.int(YEAR), z.minimum(2020, YEAR), z.maximum(2099, YEAR)),
    method: choice(GAIN_METHODS, METHOD),
    /** A gain is long if the units were owned for more days. */
    holdingDays: z
      .number({ error: DAYS })
      .check(z.int(DAYS), z.minimum(0, DAYS), z.maximum(MOST_HOLDING_DAYS, DAYS)),
    /** For `chosen`: the units that each sale takes from each lot, by their ids. */
    choices: z.optional(
      z
        .record(
          z.string().check(z.maxLength(60)),
          z
            .array(
              z.object({ lot: z.string().check(z.maxLength(60)), units: z.number().check(z.positive()) }),
            )
            .check(z.maxLength(200)),
        )
        .check(z.refine((choices) => Object.keys(choices).length <= 1_000, 'These are too many sales')),
    ),
  }),
  answer: gains,
  limit: { name: 'statements', per: 'account', max: 60, windowSeconds: 600 },
  refusals: ['too_many_entries', 'conflict'],
})
