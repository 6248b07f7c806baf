import { z } from 'astro/zod'
import { spokenText } from '../spoken.ts'

const title = z.string().trim().min(3).max(60)

/** A text with what it claims: files of src/content/claims. Without any it must not state what isn't so. */
const said = z.strictObject({ text: spokenText, claims: z.array(z.string()).default([]) })

const item = z.strictObject({ title, label: z.string().max(20).optional(), ...said.shape })

/** The parts of /about-us. */
export const aboutPart = z.discriminatedUnion('part', [
  z.strictObject({ part: z.literal('header'), title, lead: z.string().trim().min(10).max(300) }),
  z.strictObject({
    part: z.literal('text'),
    /** Where it stands among the texts, from the top. */
    place: z.int().positive(),
    title,
    says: z.array(said).min(1),
    items: z.array(item).default([]),
    /** Whether the company's details, as site.json has them, stand under it. */
    company: z.boolean().default(false),
  }),
  z.strictObject({ part: z.literal('locations'), title, says: z.array(said).min(1) }),
  z.strictObject({ part: z.literal('devices'), title, says: z.array(said).min(1) }),
  z.strictObject({ part: z.literal('newsletter'), title, says: z.array(said).min(1) }),
])

export type AboutPart = z.output<typeof aboutPart>
