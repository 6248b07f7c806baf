import sanitizeHtml from 'sanitize-html'

/** The longest notification in bytes, after sanitising. */
export const MAX_HTML_BYTES = 16 * 1024

/**
 * Sanitises HTML: keeps text, emphasis, lists, small headings and links to web and mail addresses, and drops everything else.
 * Text inside dropped elements stays, except that of scripts and styles.
 */
export function safeHtml(html: string): string {
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
 * The first link or written-out address in sanitised HTML that leads away from our own site; null if there is none. Investors
 * trust notifications, so a link in one must not lead elsewhere.
 * @param supportAddress the one address that a `mailto:` link may name
 */
export function foreignLink(html: string, origin: string, supportAddress: string | null): string | null {
  const links: string[] = []
  const texts: string[] = []
  sanitizeHtml(html, {
    allowedTags: ['a'],
    allowedAttributes: { a: ['href'] },
    transformTags: {
      a: (tagName, attribs) => {
        if (attribs.href !== undefined) links.push(attribs.href)
        return { tagName, attribs }
      },
    },
    textFilter: (text) => {
      texts.push(text)
      return text
    },
  })
  return (
    links.find((href) => !isOwn(href, origin) && !isMailTo(href, supportAddress)) ??
    writtenOut(texts.join('')).find((address) => !isOwn(address, origin)) ??
    null
  )
}

/** Whether the HTML names a mail address, so that the support address has to be loaded for comparison. */
export function namesMail(html: string): boolean {
  return /mailto:/i.test(html)
}

/** Addresses in plain text that mail programs and people would take for links. */
export function writtenOut(text: string): string[] {
  return (text.match(/\b(?:https?:\/\/|www\.)[^\s<>"'&]+/gi) ?? []).map((address) =>
    /^www\./i.test(address) ? `https://${address}` : address,
  )
}

/** Whether a link stays on our site. Resolved as a browser does, because `//host` and `/\\host` lead away. */
export function isOwn(href: string, origin: string): boolean {
  try {
    return new URL(href, origin).origin === new URL(origin).origin
  } catch {
    return false
  }
}

function isMailTo(href: string, supportAddress: string | null): boolean {
  return supportAddress !== null && href.trim().toLowerCase() === `mailto:${supportAddress.toLowerCase()}`
}
