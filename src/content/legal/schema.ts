import { z } from 'astro/zod'

/** What stands at the head of a legal text. A field that is not named here fails the build as a wrong one does. */
export const legalText = z.strictObject({
  title: z.string().min(1).max(60),
  /** The day from which the first version held. Registering records the day of the terms, changed or not, as the version accepted. */
  date: z.date(),
  /** The day from which this version holds, where `date` is that of the first one. */
  changed: z.date().optional(),
  /** For search engines, which show about so much. */
  description: z.string().min(50).max(160),
  /** Counts up with each text that replaces another. */
  version: z.int().positive(),
  /** Said at the top while the text is a sample; left out once the operating company has put its own in place. */
  sample: z.string().min(1).optional(),
  /** What somebody takes away who reads no further: a line each, at the top. */
  summary: z.array(z.string().min(10).max(160)).min(3).max(6).optional(),
})
