import { z } from 'astro/zod'

const sentence = z.string().trim().min(10).max(400)

const evidence = z.union([
  z.strictObject({
    /** A test file, from the project's root … */
    file: z.string().regex(/\.(?:test|spec)\.tsx?$/, 'must be a test file'),
    /** … and the name of one of its tests, word for word. */
    test: z.string().min(1),
  }),
  z.strictObject({
    /** A page of this site on which anybody can see it. */
    page: z.string().regex(/^\/[a-z0-9/-]*$/, 'must be a path of this site'),
  }),
])

const common = {
  /** What is claimed, exactly as strong as its evidence. */
  claim: sentence,
  /** The heading under which /claims lists it. */
  topic: z.enum(['Money', 'Security', 'Privacy', 'Trading', 'Support', 'Company']),
  /** What it does not mean. */
  limits: sentence.optional(),
}

/**
 * A claim that a public page makes. `shown`: tests or pages show it. `operator`: the operating company has to provide it,
 * and says so in site.json. `planned`: not true yet, so that no page may state it.
 */
export const claim = z.discriminatedUnion('standing', [
  z.strictObject({ ...common, standing: z.literal('shown'), evidence: z.array(evidence).min(1) }),
  z.strictObject({
    ...common,
    standing: z.literal('operator'),
    /** Where site.json says it. */
    provides: z.enum([
      'coldStorage',
      'staffedSupport',
      'cards',
      'bankTransfers',
      'name',
      'registration',
      'address',
      'licence',
    ]),
  }),
  z.strictObject({ ...common, standing: z.literal('planned') }),
])

export type Claim = z.output<typeof claim>
