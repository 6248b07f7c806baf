import { site } from '../../../src/site.ts'
import type { Env } from '../env.ts'
import type { Mail } from './outbox.ts'

/** One paragraph of text, which may have line breaks, or a link that stands on its own line. */
export type Part = string | { readonly label: string; readonly href: string }

/**
 * Writes a mail as text and as HTML with the same words.
 * @param greeting the person's name as typed
 */
export function composeMail(to: string, subject: string, greeting: string, parts: readonly Part[]): Mail {
  const name = greetingOf(greeting)
  const text = [
    `Hello ${name},`,
    ...parts.map((part) => (typeof part === 'string' ? part : `${part.label}: ${part.href}`)),
    site.brand,
  ].join('\n\n')
  const html = [
    `<p>Hello ${escapeHtml(name)},</p>`,
    ...parts.map((part) =>
      typeof part === 'string'
        ? `<p>${escapeHtml(part).replaceAll('\n', '<br>')}</p>`
        : `<p><a href="${escapeHtml(part.href)}">${escapeHtml(part.label)}</a></p>`,
    ),
    `<p>${escapeHtml(site.brand)}</p>`,
  ].join('\n')
  return { to, subject, text, html }
}

// A name must be one line without a link. Otherwise a stranger could register somebody's address and send them a message through
// us.
function greetingOf(name: string): string {
  const line = name.replace(/\s+/g, ' ').trim()
  return line.length > 80 || /:\/\/|www\.|@|\p{L}\.\p{L}{2,}/iu.test(line) ? 'there' : line
}

const ENTITIES: Record<string, string> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
}

/** Escapes text for HTML, also for attributes. */
export function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (character) => ENTITIES[character] ?? character)
}

/** An address of the site with query parameters, for a mail. */
export function linkTo(env: Env, path: string, query: Readonly<Record<string, string>> = {}): string {
  const url = new URL(path, env.PUBLIC_ORIGIN)
  for (const [name, value] of Object.entries(query)) url.searchParams.set(name, value)
  return url.href
}
