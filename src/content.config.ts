import { defineCollection } from 'astro:content'
import { glob } from 'astro/loaders'
import { aboutPart } from './content/about/schema.ts'
import { authNotes } from './content/auth/schema.ts'
import { claim } from './content/claims/schema.ts'
import { question } from './content/faq/schema.ts'
import { charge } from './content/fees/schema.ts'
import { homePart } from './content/home/schema.ts'
import { legalText } from './content/legal/schema.ts'
import { officeLocation } from './content/locations/schema.ts'
import { plan } from './content/plans/schema.ts'
import { review } from './content/reviews/schema.ts'
import { navigationContent, siteContent } from './content/siteSchema.ts'
import { strategyWords } from './content/strategies/schema.ts'
import { supportList } from './content/support/schema.ts'

/** Texts that are checked when the site is built: bad content fails the build and names file and field. */
export const collections = {
  about: defineCollection({
    loader: glob({ base: './src/content/about', pattern: '*.yaml' }),
    schema: aboutPart,
  }),
  auth: defineCollection({
    loader: glob({ base: './src/content/auth', pattern: '*.yaml' }),
    schema: authNotes,
  }),
  claims: defineCollection({
    loader: glob({ base: './src/content/claims', pattern: '*.yaml' }),
    schema: claim,
  }),
  faq: defineCollection({
    loader: glob({ base: './src/content/faq', pattern: '*.yaml' }),
    schema: question,
  }),
  home: defineCollection({
    loader: glob({ base: './src/content/home', pattern: '*.yaml' }),
    schema: homePart,
  }),
  fees: defineCollection({
    loader: glob({ base: './src/content/fees', pattern: '*.yaml' }),
    schema: charge,
  }),
  legal: defineCollection({
    loader: glob({ base: './src/content/legal', pattern: '*.mdx' }),
    schema: legalText,
  }),
  locations: defineCollection({
    loader: glob({ base: './src/content/locations', pattern: '*.yaml' }),
    schema: officeLocation,
  }),
  plans: defineCollection({
    loader: glob({ base: './src/content/plans', pattern: '*.yaml' }),
    schema: plan,
  }),
  reviews: defineCollection({
    loader: glob({ base: './src/content/reviews', pattern: '*.yaml' }),
    schema: review,
  }),
  strategies: defineCollection({
    loader: glob({ base: './src/content/strategies', pattern: '*.yaml' }),
    schema: strategyWords,
  }),
  support: defineCollection({
    loader: glob({ base: './src/content/support', pattern: '*.yaml' }),
    schema: supportList,
  }),
  // The next two are read through src/site.ts; here they are checked.
  site: defineCollection({
    loader: glob({ base: './src/content', pattern: 'site.json' }),
    schema: siteContent,
  }),
  navigation: defineCollection({
    loader: glob({ base: './src/content', pattern: 'navigation.json' }),
    schema: navigationContent,
  }),
}
