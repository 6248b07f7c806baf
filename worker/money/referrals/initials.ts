/** The initials of a name, of its first and its last word: `A. N.` for Ana María Núñez. Never more of it. */
export function initialsOf(name: string): string {
  const words = name.split(/\s+/).filter((word) => /\p{L}/u.test(word))
  const ends = words.length > 1 ? [words[0], words.at(-1)] : words
  const letters = ends.map((word) => /\p{L}/u.exec(word ?? '')?.[0].toLocaleUpperCase('en-US'))
  return letters.length === 0 ? '–' : letters.map((letter) => `${letter}.`).join(' ')
}
