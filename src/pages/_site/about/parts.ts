import type { AboutPart } from '../../../content/schemas.ts'

type Part<Name extends AboutPart['part']> = Extract<AboutPart, { part: Name }>

export type Statement = Part<'text'>['says'][number]

/**
 * The parts of /about-us by name, its texts in their order.
 *
 * @throws if a part that must exist once is missing or exists twice
 */
export function groupAboutParts(parts: readonly AboutPart[]) {
  return {
    header: getOnlyPart(parts, 'header'),
    texts: filterParts(parts, 'text').sort((a, b) => a.place - b.place),
    locations: getOnlyPart(parts, 'locations'),
    devices: getOnlyPart(parts, 'devices'),
    newsletter: getOnlyPart(parts, 'newsletter'),
  }
}

function getOnlyPart<Name extends AboutPart['part']>(parts: readonly AboutPart[], name: Name): Part<Name> {
  const [first, ...others] = filterParts(parts, name)
  if (first === undefined || others.length > 0)
    throw new Error(
      `src/content/about needs exactly one file with "part: ${name}", and has ${others.length + (first ? 1 : 0)}`,
    )
  return first
}

function filterParts<Name extends AboutPart['part']>(parts: readonly AboutPart[], name: Name): Part<Name>[] {
  return parts.filter((part): part is Part<Name> => part.part === name)
}
