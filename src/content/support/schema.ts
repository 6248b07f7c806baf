import { z } from 'astro/zod'

/** One of the lists on /contact-us about what to expect of support. */
export const supportList = z.strictObject({
  title: z.string().trim().min(1).max(60),
  /** The sign before the title. */
  mark: z.enum(['yes', 'no', 'never']),
  /** Where it stands among the others, from the left. */
  place: z.int().positive(),
  items: z
    .array(
      z.strictObject({
        text: z.string().trim().min(10).max(240),
        /** Files of src/content/claims, without their ending, that show what the text claims. */
        claims: z.array(z.string()).optional(),
      }),
    )
    .min(1),
})
