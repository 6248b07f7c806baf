import { z } from 'astro/zod'

const common = {
  /** Where it stands among the others, from the left. */
  place: z.int().positive(),
  /** What they wrote. A blank line starts a paragraph. */
  review: z.string().trim().min(10).max(900),
}

/**
 * A review on /reviews. A sample is nobody's: it takes no picture and no name that could be somebody's, and the page
 * labels it. What a customer wrote says when it came and where their permission to show it is kept.
 */
export const review = z.discriminatedUnion('sample', [
  z.strictObject({
    ...common,
    sample: z.literal(true),
    customer: z.string().regex(/^Sample customer [A-Z]$/, 'must be "Sample customer" and a letter'),
    job: z.literal('Sample', { error: 'must be "Sample"' }),
  }),
  z.strictObject({
    ...common,
    sample: z.literal(false),
    customer: z.string().trim().min(1).max(60),
    job: z.string().trim().min(1).max(60),
    /** A square picture that the customer sent for this, in the folder public/reviews. */
    profilePic: z
      .string()
      .regex(/^\/reviews\/[a-z0-9-]+\.(?:avif|jpe?g|png|webp)$/, 'must be a picture in /reviews/')
      .optional(),
    received: z.date(),
    /** Not shown on the page. */
    permission: z.string().trim().min(1).max(200),
  }),
])

export type Review = z.output<typeof review>
