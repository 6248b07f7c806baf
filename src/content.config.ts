import { defineCollection } from 'astro:content'
import { glob } from 'astro/loaders'
import { authNotes } from './content/auth/schema.ts'
import { claim } from './content/claims/schema.ts'
import { charge } from './content/fees/schema.ts'
import { legalText } from './content/legal/schema.ts'
import { plan } from './content/plans/schema.ts'
import { navigationContent, siteContent } from './content/siteSchema.ts'

/** Texts that are checked when the site is built: bad content fails the build and names file and field. */
export const collections = {
  auth: defineCollection({
    loader: glob({ base: './src/content/auth', pattern: '*.yaml' }),
    schema: authNotes,
  }),
  claims: defineCollection({
    loader: glob({ base: './src/content/claims', pattern: '*.yaml' }),
    schema: claim,
  }),
  fees: defineCollection({
    loader: glob({ base: './src/content/fees', pattern: '*.yaml' }),
    schema: charge,
  }),
  legal: defineCollection({
    loader: glob({ base: './src/content/legal', pattern: '*.mdx' }),
    schema: legalText,
  }),
  plans: defineCollection({
    loader: glob({ base: './src/content/plans', pattern: '*.yaml' }),
    schema: plan,
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
