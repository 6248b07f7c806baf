/** The result of a GET. A failure has a message for the visitor; its status is null if the server did not answer. */
export type Answer<Body> =
  | { state: 'answered'; body: Body; next: string | null }
  | { state: 'failed'; status: number | null; msg: string }

/** The result of a POST: the server's message, and after a failure the messages for single fields. */
export type Outcome =
  | { done: true; msg: string }
  | { done: false; msg: string; code: string; fields: Readonly<Record<string, string>> }

const NO_ANSWER = 'We could not reach the server. Please check your connection and try again.'
const UNREADABLE = 'The answer could not be read. Please try again.'

/**
 * Reads from the API on public pages, where the islands' client would add React and zod. Never rejects. `next` is the path of
 * a list's next page. `Body` is the contract's type, which is not validated.
 */
export async function get<Body>(path: string, token?: string): Promise<Answer<Body>> {
  try {
    const headers = {
      Accept: 'application/json',
      ...(token !== undefined && { Authorization: `Bearer ${token}` }),
    }
    const response = await fetch(`/api/v1${path}`, { headers })
    const body: unknown = await response.json()
    if (!response.ok)
      return { state: 'failed', status: response.status, msg: isAnswer(body) ? body.msg : UNREADABLE }
    return { state: 'answered', body: body as Body, next: parseNextLink(response.headers.get('Link')) }
  } catch (error) {
    // A body that is not JSON comes from a proxy; the connection works.
    return error instanceof SyntaxError
      ? { state: 'failed', status: 502, msg: UNREADABLE }
      : { state: 'failed', status: null, msg: NO_ANSWER }
  }
}

/** Posts to the API, as the islands' client does. Never rejects. */
export async function post(path: string, body: Readonly<Record<string, string>>): Promise<Outcome> {
  const token = /(?:^|; )XSRF-TOKEN=([^;]*)/.exec(document.cookie)?.[1]
  const headers = {
    Accept: 'application/json',
    'Content-Type': 'application/json',
    ...(token !== undefined && { 'X-XSRF-TOKEN': token }),
  }
  try {
    const response = await fetch(`/api/v1${path}`, { method: 'POST', headers, body: JSON.stringify(body) })
    const answer: unknown = await response.json().catch(() => null)
    if (!isAnswer(answer)) return createFailure(UNREADABLE, 'unreadable_answer')
    if (response.ok) return { done: true, msg: answer.msg }
    return createFailure(answer.msg, answer.code, answer.fields)
  } catch {
    return createFailure(NO_ANSWER, 'network_failure')
  }
}

interface MessageBody {
  msg: string
  code?: string
  fields?: Record<string, string>
}

function createFailure(msg: string, code = '', fields: Readonly<Record<string, string>> = {}): Outcome {
  return { done: false, msg, code, fields }
}

function isAnswer(body: unknown): body is MessageBody {
  return typeof body === 'object' && body !== null && 'msg' in body && typeof body.msg === 'string'
}

function parseNextLink(link: string | null): string | null {
  return /<\/api\/v1([^>]*)>;\s*rel="next"/.exec(link ?? '')?.[1] ?? null
}
