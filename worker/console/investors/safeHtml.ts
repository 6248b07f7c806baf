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
