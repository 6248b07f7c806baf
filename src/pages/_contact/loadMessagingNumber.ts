import type { getMessagingNumber } from '../../contract/contact.ts'
import type { AnswerOf } from '../../contract/endpoint.ts'

/**
 * The number of support's messaging app as its operators wrote it, null while they have set none. By `fetch` alone:
 * the islands' client would bring all that the form needs before the form is in view. Throws when the API does not answer well.
 */
export async function loadMessagingNumber(): Promise<string | null> {
  const response = await fetch('/api/v1/whatsapp', { headers: { Accept: 'application/json' } })
  if (!response.ok) throw new Error(`status ${response.status}`)
  const [first] = (await response.json()) as AnswerOf<typeof getMessagingNumber>
  return first?.number ?? null
}
