import * as z from 'zod/mini'
import { type Definition, STRATEGY_KINDS } from '../../../engine/definition.ts'

// What the tables of strategies store as JSON.

/** A figure for each name, such as the shares or quantities of assets. */
export const storedShares = z.record(z.string(), z.number())

const limit = z.optional(z.number())

export const storedDefinition: z.ZodMiniType<Definition> = z.object({
  kind: z.enum(STRATEGY_KINDS),
  values: storedShares,
  assets: z.array(z.string()),
  costs: z.object({ feeBasisPoints: z.number(), slippageBasisPoints: z.number() }),
  risk: z.object({
    maximumDrawdown: limit,
    pauseDays: limit,
    maximumPosition: limit,
    dailyTurnover: limit,
  }),
})

/** The band that was frozen at a strategy's start: growth at five percentiles, by days. */
export const storedBand = z.object({ days: z.array(z.number()), lines: z.array(z.array(z.number())) })

/** The private part of a valuation: the pool's cash in micro-USD, and its quantity of each asset. */
export const storedHoldings = z.object({ cash: z.number(), holdings: storedShares })
