import type { previewNotification as endpoint } from '../../../src/contract/console/investors.ts'
import type { BodyOf } from '../../../src/contract/endpoint.ts'
import { site } from '../../../src/site.ts'
import { type ActorCall, type Answer, type CheckedCall, ok } from '../../http/call.ts'
import { type Database, readTogether } from '../../lib/database.ts'
import { refuseField } from '../../lib/errors.ts'
import { readSettings, settingsOf, storedSettings } from '../../platform/settings/values.ts'
import { foreignLink, isOwn, namesMail, writtenOut } from './foreignLinks.ts'
import { MAX_HTML_BYTES, safeHtml } from './safeHtml.ts'

/** What would be stored of a notification's content: the very text that `notifyInvestor` stores. Nothing is. */
export async function previewNotification(
  call: CheckedCall<BodyOf<typeof endpoint>, unknown> & ActorCall,
): Promise<Answer<{ content: string; bytes: number }>> {
  const content = await storable(call, call.body.content)
  return ok({ content, bytes: bytesOf(content) })
}

/** The content made safe. Refuses one of which nothing is left, too much, and one that leads away from our own site. */
export async function storable(call: Pick<ActorCall, 'db' | 'env'>, html: string): Promise<string> {
  const content = safeHtml(html)
  if (content === '') refuseField('content', 'Nothing is left of the content once unsafe parts are removed')
  if (bytesOf(content) > MAX_HTML_BYTES)
    refuseField('content', 'The content is too long. It may have 16 KB at most')
  const support = namesMail(content) ? await supportAddress(call.db) : null
  const link = foreignLink(content, call.env.PUBLIC_ORIGIN, support)
  if (link !== null) refuseField('content', foreignWords(link))
  return content
}

/** Refuses a title that names an address outside. */
export function assertOwnTitle({ env }: Pick<ActorCall, 'env'>, title: string): void {
  const link = writtenOut(title).find((address) => !isOwn(address, env.PUBLIC_ORIGIN))
  if (link !== undefined) refuseField('title', foreignWords(link))
}

function foreignWords(link: string): string {
  return `A notification links only to our own pages. Please take out ${link.slice(0, 200)}`
}

async function supportAddress(db: Database): Promise<string> {
  const [rows] = await readTogether(db, readSettings())
  return settingsOf(storedSettings(rows)).supportAddress ?? site.supportEmail
}

function bytesOf(text: string): number {
  return new TextEncoder().encode(text).length
}
