import { z } from 'astro/zod'

const sentence = z.string().trim().min(10).max(220)

/** What stands beside a form of /sign-in, /sign-up and their like: a few sentences about what the form does. */
export const authNotes = z.strictObject({
  heading: z.string().trim().min(1).max(40),
  /** True where the notes are steps. */
  steps: z.boolean().default(false),
  notes: z
    .array(
      z.strictObject({
        /** A few words before the text. */
        title: z.string().trim().min(1).max(40).optional(),
        text: sentence,
        /** The entries of src/content/claims that the text rests on. */
        claims: z.array(z.string()).min(1).optional(),
      }),
    )
    .min(1)
    .max(4),
})
