import * as z from 'zod/mini'

/** The band that was frozen with a strategy, as `strategies.band` stores it. */
export const storedBand = z.object({ days: z.array(z.number()), lines: z.array(z.array(z.number())) })
