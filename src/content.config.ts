import { defineCollection } from 'astro:content'
import { glob } from 'astro/loaders'
import { legalText } from './content/legal/schema.ts'

/** Texts that are checked when the site is built: bad content fails the build and names file and field. */
export const collections = {
  legal: defineCollection({
    loader: glob({ base: './src/content/legal', pattern: '*.mdx' }),
    schema: legalText,
  }),
}
