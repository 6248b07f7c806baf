import { z } from 'astro/zod'
import { contentText } from './text.ts'

// The schemas of src/content. An invalid or unknown field fails the build.

const text = (least: number, most: number) => z.string().trim().min(least).max(most)
const title = text(3, 60)
const line = z.string().trim().min(1)
/** Counts from 1, in the order in which entries are shown. */
const place = z.int().positive()

/** A text and the ids of its claims in src/content/claims. A text without claims must not state a fact about the platform. */
const statement = z.strictObject({ text: contentText, claims: z.array(z.string()).default([]) })
const statements = z.array(statement).min(1)
const item = z.strictObject({ title, label: z.string().max(20).optional(), ...statement.shape })
const icon = z.string().regex(/^[a-z]+$/)

export const aboutPart = z.discriminatedUnion('part', [
  z.strictObject({ part: z.literal('header'), title, lead: text(10, 300) }),
  z.strictObject({
    part: z.literal('text'),
    place,
    title,
    says: statements,
    items: z.array(item).default([]),
    /** Whether the company's details from site.json follow. */
    company: z.boolean().default(false),
  }),
  z.strictObject({ part: z.literal('locations'), title, says: statements }),
  z.strictObject({ part: z.literal('devices'), title, says: statements }),
  z.strictObject({ part: z.literal('newsletter'), title, says: statements }),
])

export type AboutPart = z.output<typeof aboutPart>

/** The notes beside the form of a page with AuthLayout, such as /sign-in. */
export const authNotes = z.strictObject({
  heading: text(1, 40),
  steps: z.boolean().default(false),
  notes: z
    .array(
      z.strictObject({
        title: text(1, 40).optional(),
        text: text(10, 220),
        claims: z.array(z.string()).min(1).optional(),
      }),
    )
    .min(1)
    .max(4),
})

const evidence = z.union([
  z.strictObject({
    /** The path of a test file from the project's root. */
    file: z.string().regex(/\.(?:test|spec)\.tsx?$/, 'must be a test file'),
    /** The exact title of one of its tests. */
    test: z.string().min(1),
  }),
  z.strictObject({
    /** A public page of this site that shows it. */
    page: z.string().regex(/^\/[a-z0-9/-]*$/, 'must be a path of this site'),
  }),
])

const commonClaim = {
  /** The claim, no stronger than its evidence. */
  claim: text(10, 400),
  topic: z.enum(['Money', 'Security', 'Privacy', 'Trading', 'Support', 'Company']),
  /** Cases that the claim does not cover. */
  limits: text(10, 400).optional(),
}

/**
 * A claim on a public page. `shown`: tests or pages prove it. `operator`: the operating company has to provide it in
 * site.json. `planned`: not true yet, so no page may state it.
 */
export const claim = z.discriminatedUnion('standing', [
  z.strictObject({ ...commonClaim, standing: z.literal('shown'), evidence: z.array(evidence).min(1) }),
  z.strictObject({
    ...commonClaim,
    standing: z.literal('operator'),
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
  z.strictObject({ ...commonClaim, standing: z.literal('planned') }),
])

export type Claim = z.output<typeof claim>

export const question = z.strictObject({
  /** The question with the lowest number comes first, and is open. */
  order: place,
  question: text(8, 100).endsWith('?'),
  answer: contentText.refine((answer) => answer.split(/\s+/).length <= 60, 'must have 60 words at most'),
  claims: z.array(z.string()).default([]),
})

/** A row of /fees. The page takes the platform's own price from the code. */
export const charge = z.strictObject({
  title,
  /** Which price of the platform the row shows: of a deposit or withdrawal, of each month, or of profits. */
  platform: z.enum(['transaction', 'month', 'profits']),
  /** Who else may charge for it, and what. */
  others: text(3, 240),
  place,
  claims: z.array(z.string().min(1)).min(1),
})

/** The parts of the home page. Its layout fixes the number of items. */
export const homePart = z.discriminatedUnion('part', [
  z.strictObject({
    part: z.literal('hero'),
    lead: statements,
    facts: z.array(z.strictObject({ ...statement.shape, title })).length(2),
  }),
  z.strictObject({
    part: z.literal('invest'),
    title,
    label: text(1, 40).optional(),
    items: z.array(z.strictObject({ title, icon, ...statement.shape })).length(3),
  }),
  z.strictObject({
    part: z.literal('security'),
    title,
    items: z.array(z.strictObject({ title, icon, says: statements.max(3) })).length(5),
  }),
  z.strictObject({
    part: z.literal('steps'),
    title,
    items: z.array(z.strictObject({ title, ...statement.shape })).length(5),
  }),
  z.strictObject({ part: z.literal('questions'), title }),
])

export type HomePart = z.output<typeof homePart>

export const legalText = z.strictObject({
  title: z.string().min(1).max(60),
  /** The day from which the first version applies. Sign-up records the date of the terms as the accepted version. */
  date: z.date(),
  /** The day from which this version applies, if it is not the first one. */
  changed: z.date().optional(),
  /** For search engines, which show about this length. */
  description: z.string().min(50).max(160),
  /** Increases with each new version. */
  version: place,
  /** Shown at the top while the text is a sample. Remove it once the operating company has replaced the text. */
  sample: z.string().min(1).optional(),
  /** The main points at the top, one line each. */
  summary: z.array(z.string().min(10).max(160)).min(3).max(6).optional(),
})

const commonLocation = {
  /** Its number on the map and in the list. */
  place,
  city: text(1, 40),
  country: text(1, 40),
  /** Degrees, south and west negative. The map ends above Antarctica. */
  latitude: z.number().min(-58).max(84),
  longitude: z.number().min(-180).max(180),
}

/** An office on the map of /about-us. A sample has no address, because no one works there, and the page labels it. */
export const officeLocation = z.discriminatedUnion('sample', [
  z.strictObject({ ...commonLocation, sample: z.literal(true) }),
  z.strictObject({
    ...commonLocation,
    sample: z.literal(false),
    what: text(3, 80),
    address: text(10, 200),
  }),
])

/** A trading plan: guidance by amount. It is free, unlocks no feature and makes no promise. */
export const plan = z.strictObject({
  title: line.max(20),
  subtitle: line.max(60),
  /** As shown: `$1000` or `$3000 - $10000`. */
  amount: z.string().regex(/^\$\d+(?: - \$\d+)?$/, 'must be like $1000 or $3000 - $10000'),
  features: z.array(line.max(120)).min(1).max(5),
  place,
  claims: z.array(line).optional(),
})

export type Plan = z.output<typeof plan>

const commonReview = {
  place,
  customer: text(1, 60),
  job: text(1, 60),
  /** A blank line starts a paragraph. */
  review: text(10, 900),
}

/**
 * A review on /reviews. A sample is invented, its picture is drawn, and the page says so. A customer's review records when it was
 * received and where the permission to publish it is kept.
 */
export const review = z.discriminatedUnion('sample', [
  z.strictObject({
    ...commonReview,
    sample: z.literal(true),
    /** A drawing in public/reviews, never a photograph of a person. */
    profilePic: z.string().regex(/^\/reviews\/[a-z0-9-]+\.svg$/, 'must be a drawing (.svg) in /reviews/'),
  }),
  z.strictObject({
    ...commonReview,
    sample: z.literal(false),
    /** A square picture in public/reviews that the customer sent for publication. */
    profilePic: z
      .string()
      .regex(/^\/reviews\/[a-z0-9-]+\.(?:avif|jpe?g|png|webp)$/, 'must be a picture in /reviews/')
      .optional(),
    received: z.date(),
    permission: text(1, 200),
  }),
])

export type Review = z.output<typeof review>

const sentence = text(20, 420)

/**
 * The texts about a strategy. The file's name is its slug. Names in braces, such as `{fast}` and `{assets}`, are replaced by
 * values of its definition, so that text and rules cannot disagree.
 */
export const strategyWords = z.strictObject({
  summary: text(20, 140),
  loses: sentence,
  /** The exact rules of the strategy, one step per item. */
  rules: z.array(sentence).min(1).max(5),
  /** The assets that the strategy buys, and where the rest of the money is. */
  holds: sentence,
  notFor: sentence,
})

/** A list on /contact-us of what to expect from support. */
export const supportList = z.strictObject({
  title: text(1, 60),
  mark: z.enum(['yes', 'no', 'never']),
  place,
  items: z.array(z.strictObject({ text: text(10, 240), claims: z.array(z.string()).optional() })).min(1),
})

/** What only the operating company can provide. The pages show null as "not provided yet". */
const provided = line.max(300).nullable()

const hexColour = z.string().regex(/^#[0-9a-f]{6}$/, 'must be a colour like #006a4e')

/** src/content/site.json: the brand, the operating company, and the services that only the company can provide. */
export const siteContent = z.strictObject({
  /** While name, tagline, logo and colours are a sample. */
  sample: z.literal(true).optional(),
  brand: line
    .max(30)
    .regex(/^[\p{L}\p{N}][\p{L}\p{N} &'’.+!-]*$/u, "may have letters, digits, spaces and &'’.+!-"),
  /** The brand in file names and request headers, and the name of the Worker, the database and the bucket. */
  slug: z.string().regex(/^[a-z][a-z0-9-]{1,29}$/, 'must have small letters, digits and hyphens'),
  tagline: line.max(60),
  /** For search engines, which show about this length. */
  description: line.min(50).max(160),
  /** Scheme and host of the site, without a slash at the end; wrangler.toml has the same. */
  origin: z.string().regex(/^https:\/\/[a-z0-9.-]+$/, 'must be https:// and a host, nothing after it'),
  supportEmail: z.email(),
  /** The address that mails come from. */
  mailSender: z.email(),
  /** The colour of buttons and marks, in the light and in the dark theme. `npm run brand` checks its contrast. */
  accent: z.strictObject({ light: hexColour, dark: hexColour }),
  logo: z.strictObject({
    viewBox: z.string().regex(/^-?[\d.]+ -?[\d.]+ [\d.]+ [\d.]+$/, 'must be four numbers, like an SVG’s'),
    shapes: z
      .array(
        z.strictObject({
          /** The data of an SVG path. */
          path: z.string().regex(/^[MLHVCSQTAZ\d ,.e+-]+$/i, 'must be the data of an SVG path'),
          colour: z.enum(['ink', 'accent']),
          /** The width of the line, if the path is a line and not an area. */
          line: z.number().positive().optional(),
          /** Overlapping parts of the area are holes (SVG's `fill-rule: evenodd`). */
          evenOdd: z.literal(true).optional(),
        }),
      )
      .min(1),
  }),
  /** Whether a boat is drawn on pages that need a picture. False: the logo stands there. */
  boat: z.boolean(),
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
    /** The hours in which people answer. */
    staffedSupport: provided,
    cards: provided,
    bankTransfers: provided,
  }),
})

const links = z
  .array(
    z.strictObject({
      href: z.string().regex(/^\/[a-z0-9/-]*$/, 'must be a path of this site'),
      label: line.max(40),
    }),
  )
  .min(1)

/** src/content/navigation.json: the links of the public pages' header and footer, in their order. */
export const navigationContent = z.strictObject({
  navbar: links,
  footer: links,
  /** The footer's second list: what to read before deciding. */
  facts: links,
})
