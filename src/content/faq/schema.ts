import { z } from 'astro/zod'
import { spokenText } from '../spoken.ts'

/** A question of the home page with its answer. */
export const question = z.strictObject({
  /** The lowest comes first, and stands open. */
  order: z.int().positive(),
  question: z.string().trim().min(8).max(100).endsWith('?'),
  answer: spokenText.refine((text) => text.split(/\s+/).length <= 60, 'must have 60 words at most'),
  /** What the answer claims: files of src/content/claims. */
  claims: z.array(z.string()).default([]),
})
