import { isolate } from '../../../src/contract/isolate.ts'
import { findForeignAddress } from '../../../src/contract/words.ts'
import { site } from '../../../src/site.ts'
import type { Env } from '../env.ts'
import type { Mail } from './outbox.ts'

/** One paragraph of text, which may have line breaks, or a link that stands on its own line. */
export type Part = string | { readonly label: string; readonly href: string }

/**
 * Writes a mail as text and as HTML with the same words.
 * @param name the recipient's name as typed; null if the owner of the mailbox is not proved yet, because a stranger could then
 *   choose words of our mail to it
 */
export function composeMail(to: string, subject: string, name: string | null, parts: readonly Part[]): Mail {
  const greeting = name !== null && isPlainName(name) ? name.replace(/\s+/g, ' ').trim() : 'there'
  const text = [
    `Hello ${greeting},`,
    ...parts.map((part) =>
      typeof part === 'string' ? wrapQuotes(part, isolate) : `${part.label}: ${part.href}`,
    ),
    site.brand,
  ].join('\n\n')
  const html = [
    `<p>Hello <bdi>${escapeHtml(greeting)}</bdi>,</p>`,
    ...parts.map((part) =>
      typeof part === 'string'
        ? `<p>${wrapQuotes(escapeHtml(part), (words) => `<bdi>${words}</bdi>`).replaceAll('\n', '<br>')}</p>`
        : `<p><a href="${escapeHtml(part.href)}">${escapeHtml(part.label)}</a></p>`,
    ),
    `<p>${escapeHtml(site.brand)}</p>`,
  ].join('\n')
  return { to, subject, text, html }
}

/**
 * News of an account: a mail, and the same subject and words in the notifications of the recipient.
 * @param mailOnly those of the parts that are not in the notification: links that act without a session, and account numbers
 */
export function composeNews(
  to: string,
  subject: string,
  name: string,
  parts: readonly Part[],
  mailOnly: readonly Part[] = [],
): Mail {
  const news = renderNews(parts.filter((part) => !mailOnly.includes(part)))
  return { ...composeMail(to, subject, name, parts), news }
}

/** The elements that a notification may have. */
function renderNews(news: readonly Part[]): string {
  return news
    .map((part) =>
      typeof part === 'string'
        ? `<p>${wrapQuotes(escapeHtml(part), isolate).replaceAll('\n', '<br>')}</p>`
        : `<p><a href="${escapeHtml(part.href)}">${escapeHtml(part.label)}</a></p>`,
    )
    .join('')
}

const NONE = { origin: site.origin, emails: [], number: null }

/** Whether a text looks like a name alone: a few short words of letters, without an address, a number or a sentence. */
function isPlainName(name: string): boolean {
  return (
    /^[\p{L}\p{M}\p{Zs}\p{ExtPict}\p{Join_C}'’.‐-]{1,60}$/u.test(name.trim()) &&
    name.trim().split(/\s+/).length <= 6 &&
    findForeignAddress(name, NONE) === null
  )
}

/**
 * Formats a person's text for a mail: quoted, on one line, short, and without addresses, domains and numbers, which mail programs
 * turn into links. A thief who edits a field must not be able to write to its owner through us.
 */
export function quotePerson(text: string, max = 60): string {
  const line = text.replace(/\s+/g, ' ').replace(/[“”]/g, "'").trim()
  if (findForeignAddress(line, NONE) !== null) return '“…”'
  const characters = Array.from(line)
  return `“${characters.length > max ? `${characters.slice(0, max - 1).join('')}…` : line}”`
}

/** Isolates each quotation, so that Arabic in it does not reorder the words around it. */
function wrapQuotes(text: string, isolated: (words: string) => string): string {
  return text.replace(/“([^“”]*)”/g, (_, words: string) => `“${isolated(words)}”`)
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
export function buildLink(env: Env, path: string, query: Readonly<Record<string, string>> = {}): string {
  const url = new URL(path, env.PUBLIC_ORIGIN)
  for (const [name, value] of Object.entries(query)) url.searchParams.set(name, value)
  return url.href
}
