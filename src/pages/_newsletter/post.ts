/** What became of a call: the server's sentence, and after a failure by name of the field what belongs beside it. */
export type Outcome =
  | { done: true; msg: string }
  | { done: false; msg: string; code: string; fields: Readonly<Record<string, string>> }

/**
 * Posts to the API as the islands' client does. That one would bring React's and zod's 60 KB to pages whose scripts may
 * weigh six. Never rejects: what goes wrong is an outcome in words.
 */
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
    if (!isAnswer(answer))
      return failed('The answer could not be read. Please try again.', 'unreadable_answer')
    if (response.ok) return { done: true, msg: answer.msg }
    return failed(answer.msg, answer.code, answer.fields)
  } catch {
    return failed(
      'We could not reach the server. Please check your connection and try again.',
      'network_failure',
    )
  }
}

interface Answer {
  msg: string
  code?: string
  fields?: Record<string, string>
}

function failed(msg: string, code = '', fields: Readonly<Record<string, string>> = {}): Outcome {
  return { done: false, msg, code, fields }
}

function isAnswer(body: unknown): body is Answer {
  return typeof body === 'object' && body !== null && 'msg' in body && typeof body.msg === 'string'
}
