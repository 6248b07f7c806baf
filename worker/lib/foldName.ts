/** Letters that Unicode does not take apart into a letter of the alphabet and a mark, and the signs that people type as an apostrophe. */
const ALIKE: Readonly<Record<string, string>> = {
  ı: 'i',
  ł: 'l',
  ø: 'o',
  đ: 'd',
  ð: 'd',
  þ: 'th',
  ß: 'ss',
  æ: 'ae',
  œ: 'oe',
  '’': "'",
  '‘': "'",
  ʼ: "'",
  ʻ: "'",
  '`': "'",
  '´': "'",
  '‐': '-',
  '‑': '-',
}
const ALIKE_LETTER = new RegExp(`[${Object.keys(ALIKE).join('')}]`, 'gu')

/**
 * A name in the form in which operators search for it: without case, accents, kinds of apostrophes and repeated blanks, whether
 * its letters are composed or not. `Éva Ünal` and `O’Brien` become `eva unal` and `o'brien`.
 */
export function foldName(name: string): string {
  return (
    name
      // Before it is taken apart: `´` would become a blank and a mark.
      .replace(ALIKE_LETTER, (letter) => ALIKE[letter] ?? letter)
      .normalize('NFKD')
      .toLowerCase()
      .replace(/[\u0300-\u036f]/g, '')
      .replace(ALIKE_LETTER, (letter) => ALIKE[letter] ?? letter)
      .replace(/\s+/gu, ' ')
      .trim()
  )
}

/** The columns of a user's folded names, for those names that are given. */
export function buildFoldedNames({ fullname, displayName }: { fullname?: string; displayName?: string }) {
  return {
    ...(fullname !== undefined && { fullnameFolded: foldName(fullname) }),
    ...(displayName !== undefined && { displayNameFolded: foldName(displayName) }),
  }
}

const TITLES = ['mr', 'mrs', 'miss', 'ms', 'dr', 'prof']

/** The words of a name, folded, without titles. */
export function splitName(name: string): string[] {
  const words = foldName(name).match(/\p{L}+/gu) ?? []
  return words.filter((word) => !TITLES.includes(word))
}

/**
 * Whether two names may belong to one person: each word of the shorter name is a word of the longer or its initial, and at
 * least one word is complete.
 */
export function isSamePerson(firstName: string, secondName: string): boolean {
  const [few = [], many = []] = [splitName(firstName), splitName(secondName)].sort(
    (a, b) => a.length - b.length,
  )
  const isInitial = (a: string, b: string) => (a.length === 1 || b.length === 1) && a[0] === b[0]
  return (
    few.some((word) => word.length > 1 && many.includes(word)) &&
    few.every((word) => many.some((known) => word === known || isInitial(word, known)))
  )
}
