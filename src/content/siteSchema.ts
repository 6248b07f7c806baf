import { z } from 'astro/zod'

const line = z.string().trim().min(1)

/** What only the operating company can say. Null is said as "not provided yet" wherever it would stand. */
const provided = line.max(300).nullable()

/** src/content/site.json: who is behind the site, and what they bring besides the software. */
export const siteContent = z.strictObject({
  brand: line.max(30),
  tagline: line.max(60),
  /** For search engines, which show about so much. */
  description: line.min(50).max(160),
  /** Scheme and host under which the site is reached, without a slash at the end; wrangler.toml has the same. */
  origin: z.string().regex(/^https:\/\/[a-z0-9.-]+$/, 'must be https:// and a host, nothing after it'),
  supportEmail: z.email(),
  /** `simulated` until the operator goes live: no money moves, and every page says so. */
  mode: z.enum(['simulated', 'live']),
  company: z.strictObject({
    name: provided,
    registration: provided,
    address: provided,
    licence: provided,
  }),
  provides: z.strictObject({
    /** How coins are kept offline, in one sentence. */
    coldStorage: provided,
    /** When people answer. */
    staffedSupport: provided,
    cards: provided,
    bankTransfers: provided,
  }),
})

const link = z.strictObject({
  href: z.string().regex(/^\/[a-z0-9/-]*$/, 'must be a path of this site'),
  label: line.max(40),
})

/** src/content/navigation.json: the links of the public pages' header and footer, in their order. */
export const navigationContent = z.strictObject({
  navbar: z.array(link).min(1),
  footer: z.array(link).min(1),
  /** The footer's second list: what there is to know before one decides. */
  facts: z.array(link).min(1),
})
