/** The addresses that a message to one investor may name. */
export interface OwnAddresses {
  /** Of the site: `https://invest.example`. */
  readonly origin: string
  /** Support's e-mail addresses, in lower case. */
  readonly emails: readonly string[]
  /** The number of the messaging app; null if there is none. */
  readonly number: string | null
}

/**
 * The first part of a text that looks like an address, a domain or a number by which another person could be reached or paid;
 * null if there is none. People trust our mails, so a message to one investor may name only our own. Amounts, days, times and
 * references of cases are not such numbers. Takes time linear in the text.
 */
export function findForeignAddress(text: string, own: OwnAddresses): string | null {
  const plain = text.normalize('NFKC').replace(DOTS, '.')
  const rest: string[] = []
  for (const part of plain.split(/[\s<>"“”]+/)) {
    const word = part.replace(EDGES, '')
    if (!ADDRESS.test(word)) rest.push(part)
    else if (!isOwnAddress(word, own)) return word
  }
  const others = rest.join(' ').replace(buildNumberPattern(own.number), ' ').replace(HARMLESS, ' ')
  const key = others.match(LONG_WORD)?.find((word) => /\p{Nd}/u.test(word))
  return key ?? (NUMBER.exec(others) ?? SPELT_OUT.exec(others))?.[0].trim() ?? null
}

/** Characters that browsers read as the dot of a domain, or that look like it. */
const DOTS = /[\u3002\uFF61\u00B7\u2219\u2027]/g

/** Punctuation around a word. */
const EDGES = /^[([{'‘]{1,9}|[.,;:!?)\]}'’…]{1,9}$/g

/** A word with a scheme, an `@`, or a dot between letters: `https://…`, `a@b`, `@name`, `evil.example`, `t.me/x`. */
const ADDRESS = /:\/\/|@|^(?:mailto|tel|sms):|[\p{L}\p{M}\p{N}-]\.\p{L}{2}/iu

/** Amounts, days, times and references. */
const HARMLESS =
  /[$€£]\s?\d{1,3}(?:,?\d{3}){0,2}(?:\.\d{1,2})?(?![\d,])|\b(?:\d{1,6}|\d{1,3}(?:,\d{3}){1,2})(?:\.\d{1,18})?\s?(?:USD|USDT|BTC|ETH|BNB|TRX)\b|\b\d{4}-\d{2}-\d{2}\b|\b\d{1,2}[/.]\d{1,2}[/.]\d{4}\b|\b\d{1,2}:\d{2}(?::\d{2})?\b|\b(?:DEP|WDR|KYC|MSG)-[0-9A-HJKMNP-TV-Z]{8}\b/gi

/** Seven digits or more in any groups, letters that stand for digits (`0800 CALL`), an IP address. */
const NUMBER =
  /\+?\p{Nd}(?:[\s().,/·–—-]{0,3}\p{Nd}){6,}|\p{Nd}{3,4}[\s-]{1,3}[A-Z]{4,}|\p{Nd}{1,3}(?:\.\p{Nd}{1,3}){3}/u

/** With a digit in it, the address of a wallet or an account. */
const LONG_WORD = /[\p{L}\p{Nd}]{20,}/gu

/** An address as people write it for people: `evil [.] com`, `evil . com`, `evil dot com`. */
const SPELT_OUT =
  /[\p{L}\p{N}]\s{0,3}[[({]\s{0,3}(?:\.|@|dot|DOT|at|AT)\s{0,3}[\])}]|[\p{L}\p{N}]\s{1,3}\.\s{0,3}\p{L}{2}|[\p{L}\p{N}]\.\s{1,3}(?:com|net|org|io|co)\b|\b(?:dot|DOT|Dot)\s{1,3}\p{L}{2,6}\b/u

function isOwnAddress(word: string, { origin, emails }: OwnAddresses): boolean {
  const lower = word.toLowerCase()
  if (emails.some((email) => [email, `mailto:${email}`].includes(lower))) return true
  // The text before an `@` is not the host, however much it looks like ours.
  if (/[@\\]/.test(lower)) return false
  return [origin, new URL(origin).host].some(
    (start) => lower.startsWith(start) && /^(?:$|[/?#])/.test(lower.slice(start.length)),
  )
}

/** Finds our own number in any grouping. */
function buildNumberPattern(number: string | null): RegExp {
  if (number === null) return /(?!)/g
  const digits = number.replace(/\D/g, '')
  return new RegExp(`\\+?${[...digits].join('[\\s().-]{0,3}')}(?!\\p{Nd})`, 'gu')
}
