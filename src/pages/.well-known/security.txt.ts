import { type Site, site } from '../../site.ts'
import { DAY_MS } from '../../time.ts'

export const GET = () =>
  new Response(renderSecurityText(site, Date.now()), {
    headers: { 'Content-Type': 'text/plain; charset=utf-8' },
  })

/**
 * Where to report a vulnerability, as RFC 9116 defines. Expires a year after the day of the build.
 *
 * @param nowMs the time of the build
 */
export function renderSecurityText(
  { origin, supportEmail }: Pick<Site, 'origin' | 'supportEmail'>,
  nowMs: number,
): string {
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
