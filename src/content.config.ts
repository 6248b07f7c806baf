import { type BaseSchema, defineCollection } from 'astro/content/config'
import { glob } from 'astro/loaders'
import {
  aboutPart,
  authNotes,
  charge,
  claim,
  homePart,
  legalText,
  navigationContent,
  officeLocation,
  plan,
  question,
  review,
  siteContent,
  strategyWords,
  supportList,
} from './content/schemas.ts'

/** The build checks these files: bad content fails it and names file and field. */
export const collections = {
  about: collection('about/*.yaml', aboutPart),
  auth: collection('auth/*.yaml', authNotes),
  claims: collection('claims/*.yaml', claim),
  faq: collection('faq/*.yaml', question),
  home: collection('home/*.yaml', homePart),
  fees: collection('fees/*.yaml', charge),
  legal: collection('legal/*.mdx', legalText),
  locations: collection('locations/*.yaml', officeLocation),
  plans: collection('plans/*.yaml', plan),
  reviews: collection('reviews/*.yaml', review),
  strategies: collection('strategies/*.yaml', strategyWords),
  support: collection('support/*.yaml', supportList),
  // src/site.ts reads these two; here they are only checked.
  site: collection('site.json', siteContent),
  navigation: collection('navigation.json', navigationContent),
}

/** The files of src/content that match a pattern; an entry's id is its path below its folder. */
function collection<Schema extends BaseSchema>(path: string, schema: Schema) {
  const [, folder = '', pattern = ''] = /^(.*\/)?([^/]+)$/.exec(path) ?? []
  return defineCollection({ loader: glob({ base: `./src/content/${folder}`, pattern }), schema })
}
