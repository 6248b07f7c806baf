import type { BodyOf } from '../../../src/contract/endpoint.ts'
import type { previewNotification as endpoint } from '../../../src/contract/operator/investorActs.ts'
import { type ActorCall, type Answer, type CheckedCall, ok } from '../../lib/call.ts'
import { refuseField } from '../../lib/errors.ts'
import { MAX_HTML_BYTES, safeHtml } from './safeHtml.ts'

/** What would be stored of a notification's content: the very text that `notifyInvestor` stores. Nothing is. */
export async function previewNotification(
  call: CheckedCall<BodyOf<typeof endpoint>, unknown> & ActorCall,
): Promise<Answer<{ content: string; bytes: number }>> {
  const content = storable(call.body.content)
  return ok({ content, bytes: bytesOf(content) })
}

/** The content made safe. Refuses one of which nothing is left, or too much. */
export function storable(html: string): string {
  const content = safeHtml(html)
  if (content === '') refuseField('content', 'Nothing is left of the content once unsafe parts are removed')
  if (bytesOf(content) > MAX_HTML_BYTES)
    refuseField('content', 'The content is too long. It may have 16 KB at most')
  return content
}

function bytesOf(text: string): number {
  return new TextEncoder().encode(text).length
}
