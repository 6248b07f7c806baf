import { z } from 'astro/zod'

const common = {
  /** Its number on the map and in the list. */
  place: z.int().positive(),
  city: z.string().trim().min(1).max(40),
  country: z.string().trim().min(1).max(40),
  /** Degrees, south and west negative. The map ends above Antarctica. */
  latitude: z.number().min(-58).max(84),
  longitude: z.number().min(-180).max(180),
}

/** An office on the map of /about-us. A sample has no address, for nobody works there, and the page labels it. */
export const officeLocation = z.discriminatedUnion('sample', [
  z.strictObject({ ...common, sample: z.literal(true) }),
  z.strictObject({
    ...common,
    sample: z.literal(false),
    /** What is there, in a few words. */
    what: z.string().trim().min(3).max(80),
    address: z.string().trim().min(10).max(200),
  }),
])
