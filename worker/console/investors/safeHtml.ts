import sanitizeHtml from 'sanitize-html'

/** The longest notification, in bytes, once it is safe. */
export const MAX_HTML_BYTES = 16 * 1024

/**
 * HTML in which nothing runs, loads or changes its surroundings: text, emphasis, lists, small headings and links to web
 * and mail addresses. Everything else is dropped; the text inside it stays, that of scripts and styles aside.
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
 * The first address in a notification's safe HTML that leads away from our own site, as a link or written out; null where
 * there is none. Investors trust what stands in a notification, so a link in it must not lead anywhere else.
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

/** Whether any link, or address written out, stands in it that needs a look at the support address. */
export function namesMail(html: string): boolean {
  return /mailto:/i.test(html)
}

/** Addresses written out in plain text, which mail programs and people take for links. */
export function writtenOut(text: string): string[] {
  return (text.match(/\b(?:https?:\/\/|www\.)[^\s<>"'&]+/gi) ?? []).map((address) =>
    /^www\./i.test(address) ? `https://${address}` : address,
  )
}

/** Whether a browser on our site would stay there. Resolved as a browser does: `//host` and `/\\host` lead away. */
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
