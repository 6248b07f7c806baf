import type { getEntry } from 'astro:content'
import type { HomePart } from '../../../content/schemas.ts'

/** The texts of one part of the home page. Throws if src/content/home has no such entry, or if the entry is for another part. */
export async function loadHomePart<Name extends HomePart['part']>(
  entry: ReturnType<typeof getEntry<'home', string>>,
  name: Name,
): Promise<Extract<HomePart, { part: Name }>> {
  const data = (await entry)?.data
  if (data?.part !== name) throw new Error(`src/content/home/${name}.yaml does not say part: ${name}`)
  return data as Extract<HomePart, { part: Name }>
}
