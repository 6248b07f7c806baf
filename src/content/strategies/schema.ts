import { z } from 'astro/zod'

const sentence = z.string().trim().min(20).max(420)

/**
 * The words about a strategy; the file's name is its slug. Its numbers stand in braces, as the engine calls them: `{fast}`, and
 * likewise `{assets}`. The pages put in what the definition says, so that words and rules cannot disagree.
 */
export const strategyWords = z.strictObject({
  /** What it does, in a line. */
  summary: z.string().trim().min(20).max(140),
  /** When it loses, which is said first. */
  loses: sentence,
  /** Exactly what it does, a step each. */
  rules: z.array(sentence).min(1).max(5),
  /** What it holds, and what the rest is in. */
  holds: sentence,
  /** Who had better leave it alone. */
  notFor: sentence,
})
