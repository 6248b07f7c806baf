import { findForeignAddress, type OwnAddresses } from '../../../src/contract/words.ts'

/** The longest notification in bytes, after sanitising. */
export const MAX_HTML_BYTES = 16 * 1024

/**
 * Sanitises HTML: keeps text, emphasis, lists, small headings and links to web and mail addresses, and drops everything else.
 * Text inside dropped elements stays, except that of scripts and styles.
 */
export async function toSafeHtml(html: string): Promise<string> {
  // Loaded when first needed, because every start of the Worker would pay for it.
  const { default: sanitizeHtml } = await import('sanitize-html')
  return sanitizeHtml(html, {
    allowedTags: [
      ...['p', 'br', 'b', 'strong', 'i', 'em', 'u', 'ul', 'ol', 'li', 'a', 'h3', 'h4', 'blockquote', 'code'],
    ],
    allowedAttributes: { a: ['href', 'rel'] },
    allowedSchemes: ['http', 'https', 'mailto'],
    allowedSchemesAppliedToAttributes: ['href'],
    allowProtocolRelative: false,
    parseStyleAttributes: false,
    disallowedTagsMode: 'discard',
    transformTags: { a: sanitizeHtml.simpleTransform('a', { rel: 'noopener noreferrer' }) },
  }).trim()
}

/**
 * The first link or written address in sanitised HTML that is not ours; null if there is none. Investors trust notifications, so
 * a link in one leads nowhere else. Relative links are ours.
 */
export function findForeignLink(html: string, own: OwnAddresses): string | null {
  const links = [...html.matchAll(/\bhref="([^"]*)"/g)].map(([, href = '']) => decode(href))
  const foreign = links.find((href) => !isOwn(href, own))
  const text = decode(
    html.replace(/<\/?(?:p|br|ul|ol|li|h3|h4|blockquote)\b[^>]*>/g, '\n').replace(/<[^>]*>/g, ''),
  )
  return foreign ?? findForeignAddress(text, own)
}

/** Whether a link stays on our site or writes to us. Resolved as a browser does, because `//host` and `/\\host` lead away. */
function isOwn(href: string, { origin, emails }: OwnAddresses): boolean {
  if (emails.some((email) => href.trim().toLowerCase() === `mailto:${email}`)) return true
  try {
    return new URL(href, origin).origin === new URL(origin).origin
  } catch {
    return false
  }
}

/** The entities that the sanitiser writes. */
function decode(html: string): string {
  return html
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&quot;', '"')
    .replaceAll('&amp;', '&')
}
