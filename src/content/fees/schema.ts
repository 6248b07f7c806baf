import { z } from 'astro/zod'

const sentence = z.string().trim().min(3).max(240)

/** A row of what things cost. What the platform charges is no text: the page takes the number from the code. */
export const charge = z.strictObject({
  /** What is paid for. */
  title: z.string().trim().min(3).max(60),
  /** Which of the code’s numbers stands beside it: of a deposit or withdrawal, each month, or of profits. */
  platform: z.enum(['transaction', 'month', 'profits']),
  /** Who else may charge for it, and what. */
  others: sentence,
  /** Counts from 1, in the order in which rows are listed. */
  place: z.int().positive(),
  /** The claims of src/content/claims that the row makes. */
  claims: z.array(z.string().min(1)).min(1),
})
