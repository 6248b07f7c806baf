/**
 * Text in which nothing can be taken for a code of six digits: a word with so many digits in a row is set in groups of
 * four characters. A blank is read over by a person and cut out by a wallet.
 */
export function withoutCodes(text: string): string {
  return text.replace(/\S*\d{6}\S*/g, (word) =>
    (
      Array.from(word)
        .join('')
        .match(/.{1,4}/gsu) ?? []
    ).join(' '),
  )
}
