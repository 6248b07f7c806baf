/** A piece of a text; with `href`, the words of a link. */
export interface Piece {
  text: string
  href?: string
}

/**
 * Reads a text of the content: `[words](/page)` is a link, `{name}` stands for one of `words`. Anything else is as it is
 * written.
 *
 * @throws RangeError when a `{name}` is not among the words
 */
export function linkedText(source: string, words: Readonly<Record<string, string>>): Piece[] {
  const spoken = source.replace(NAMED, (_, name: string) => {
    const word = words[name]
    if (word === undefined) throw new RangeError(`there is nothing to put for {${name}}`)
    return word
  })
  const pieces: Piece[] = []
  let from = 0
  for (const { 0: whole, 1: text = '', 2: href = '', index } of spoken.matchAll(LINK)) {
    if (index > from) pieces.push({ text: spoken.slice(from, index) })
    pieces.push({ text, href })
    from = index + whole.length
  }
  if (from < spoken.length) pieces.push({ text: spoken.slice(from) })
  return pieces
}

/** The same without its links, as somebody would read it aloud. */
export function plainText(pieces: readonly Piece[]): string {
  return pieces.map(({ text }) => text).join('')
}

const NAMED = /\{(\w+)\}/g
const LINK = /\[([^\]]+)\]\(((?:\/|mailto:)[^)\s]*)\)/g
