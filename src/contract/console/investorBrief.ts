import * as z from 'zod/mini'

/** Whose a row is. */
export const investorBrief = z.object({ _id: z.string(), name: z.string(), email: z.string() })
