/** Characters without a width: direction marks around copied numbers, joiners, soft hyphens. */
const INVISIBLE = /[\p{Cf}\p{DI}]/gu

/** Without invisible characters and blanks around it, with compatibility forms folded (NFKC) and the digits of any script as 0 to 9. */
export function normalizeTyped(typed: string): string {
  return typed
    .normalize('NFKC')
    .replace(INVISIBLE, '')
    .replace(/\p{Nd}/gu, toAsciiDigit)
    .trim()
}

/** Unicode keeps the ten digits of a script together, from zero to nine. */
function toAsciiDigit(digit: string): string {
  if (digit >= '0' && digit <= '9') return digit
  const code = digit.codePointAt(0) ?? 0
  let zero = code
  while (/^\p{Nd}$/u.test(String.fromCodePoint(zero - 1))) zero--
  return String((code - zero) % 10)
}

/** Reads a code as people type and paste it: in the digits of any script, in groups. A code with letters keeps its hyphens. */
export function readCode(typed: string): string {
  const code = normalizeTyped(typed)
  return /^[\d\s\p{Pd}]+$/u.test(code) ? code.replace(/\D/g, '') : code
}

/**
 * Reads a phone number as address books and websites write it: `+44 (0)20 7946-0018`, `0044…`, `tel:+44…`. Returns it as the contract
 * takes it, a plus sign and digits with single spaces, or the text without blanks around it if it is something else.
 */
export function readPhone(typed: string): string {
  const text = normalizeTyped(typed).replace(/^tel:\s*/i, '')
  if (!/^[\s([]*\+?[\d\s\p{Pd}−().[\]/·]+$/u.test(text)) return text
  const groups = text
    .replace(/^[\s([]*00/, '+')
    // The zero is dialled within the country only.
    .replace(/(?<=^\+.*)\(0\)/, ' ')
    .replace(/[^+\d]+/g, ' ')
    .trim()
  return groups.replace(/^\+ /, '+')
}
