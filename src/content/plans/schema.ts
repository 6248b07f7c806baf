import { z } from 'astro/zod'

const line = z.string().trim().min(1)

/** A trading plan: guidance by amount. It costs nothing, unlocks nothing and promises nothing, and its words say no more. */
export const plan = z.strictObject({
  title: line.max(20),
  subtitle: line.max(60),
  /** As it is shown: `$1000`, or `$3000 - $10000`. */
  amount: z.string().regex(/^\$\d+(?: - \$\d+)?$/, 'must be like $1000 or $3000 - $10000'),
  features: z.array(line.max(120)).min(1).max(5),
  /** Counts from 1, in the order in which plans are listed. */
  place: z.int().positive(),
  /** The claims of src/content/claims that the features make. */
  claims: z.array(line).optional(),
})

export type Plan = z.output<typeof plan>
