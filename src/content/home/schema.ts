import { z } from 'astro/zod'
import { spokenText } from '../spoken.ts'

const title = z.string().trim().min(3).max(60)

/** A text with what it claims: files of src/content/claims. Without any it must not state what isn't so. */
const said = z.strictObject({ text: spokenText, claims: z.array(z.string()).default([]) })

const item = { title, icon: z.string().regex(/^[a-z]+$/) }

/** The parts of the home page. How many items a part has is the page's form: a missing or further one fails the build. */
export const homePart = z.discriminatedUnion('part', [
  z.strictObject({ part: z.literal('hero'), lead: z.array(said).min(1) }),
  z.strictObject({
    part: z.literal('invest'),
    title,
    lead: spokenText,
    items: z
      .array(z.strictObject({ ...item, label: z.string().max(20).optional(), ...said.shape }))
      .length(3),
  }),
  z.strictObject({
    part: z.literal('security'),
    title,
    lead: spokenText,
    items: z.array(z.strictObject({ ...item, says: z.array(said).min(1).max(3) })).length(5),
  }),
  z.strictObject({
    part: z.literal('steps'),
    title,
    lead: spokenText,
    items: z.array(z.strictObject({ title, label: z.string().max(20).optional(), ...said.shape })).length(5),
  }),
  z.strictObject({ part: z.literal('questions'), title, lead: spokenText }),
])

export type HomePart = z.output<typeof homePart>
