const DAY_MS = 86_400_000

/**
 * Whom to tell of a weakness, in the form of RFC 9116. It holds for a year from the start of the day: after that, its
 * reader has to suppose that nobody looks after it any more.
 *
 * @param nowMs when the site is built
 */
export function securityText({ origin, supportEmail }: Where, nowMs: number): string {
  const today = Math.floor(nowMs / DAY_MS) * DAY_MS
  const expires = new Date(today + 365 * DAY_MS).toISOString().replace('.000', '')
  return [
    `Contact: mailto:${supportEmail}`,
    `Contact: ${origin}/contact-us`,
    `Expires: ${expires}`,
    'Preferred-Languages: en',
    `Canonical: ${origin}/.well-known/security.txt`,
    '',
  ].join('\n')
}

interface Where {
  origin: string
  supportEmail: string
}
