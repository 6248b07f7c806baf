/** What became of a GET: the body, the server's refusal, or no answer. */
export type Answer<Body> =
  | { state: 'answered'; body: Body; next: string | null }
  | { state: 'refused'; status: number; msg: string }
  | { state: 'lost' }

export const LOST_WORDS = 'We could not reach the server. Please check your connection and try again.'

/**
 * Reads from the API as the islands' client does, which would bring 60 KB to pages whose scripts may weigh six. Never rejects. `next`
 * is the path of the list's next page. `Body` is what the contract says that the path answers: it is not looked at.
 */
export async function ask<Body>(path: string, token?: string): Promise<Answer<Body>> {
  try {
    const headers = {
      Accept: 'application/json',
      ...(token !== undefined && { Authorization: `Bearer ${token}` }),
    }
    const response = await fetch(`/api/v1${path}`, { headers })
    const body: unknown = await response.json()
    if (!response.ok) return { state: 'refused', status: response.status, msg: msgOf(body) }
    return { state: 'answered', body: body as Body, next: nextIn(response.headers.get('Link')) }
  } catch (error) {
    // A body that is no JSON is a proxy's doing, not the connection's.
    return error instanceof SyntaxError
      ? { state: 'refused', status: 502, msg: UNREADABLE }
      : { state: 'lost' }
  }
}

const UNREADABLE = 'The answer could not be read. Please try again.'

function msgOf(body: unknown): string {
  return typeof body === 'object' && body !== null && 'msg' in body ? String(body.msg) : UNREADABLE
}

function nextIn(link: string | null): string | null {
  return /<\/api\/v1([^>]*)>;\s*rel="next"/.exec(link ?? '')?.[1] ?? null
}
