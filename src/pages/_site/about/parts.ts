import type { AboutPart } from '../../../content/schemas.ts'

type Part<Name extends AboutPart['part']> = Extract<AboutPart, { part: Name }>

export type Statement = Part<'text'>['says'][number]

/**
 * The parts of /about-us by name, its texts in their order.
 *
 * @throws if a part that must exist once is missing or exists twice
 */
export function aboutParts(parts: readonly AboutPart[]) {
  return {
    header: only(parts, 'header'),
    texts: allOf(parts, 'text').sort((a, b) => a.place - b.place),
    locations: only(parts, 'locations'),
    devices: only(parts, 'devices'),
    newsletter: only(parts, 'newsletter'),
  }
}

function only<Name extends AboutPart['part']>(parts: readonly AboutPart[], name: Name): Part<Name> {
  const [first, ...others] = allOf(parts, name)
  if (first === undefined || others.length > 0)
    throw new Error(
      `src/content/about needs exactly one file with "part: ${name}", and has ${others.length + (first ? 1 : 0)}`,
    )
  return first
}

function allOf<Name extends AboutPart['part']>(parts: readonly AboutPart[], name: Name): Part<Name>[] {
  return parts.filter((part): part is Part<Name> => part.part === name)
}
