import { answered, unanswered } from './connection.ts'
import type { ApiRequest } from './request.ts'

/** Sends a request and answers whatever came back. No timeout of its own. Rejects only when no answer came. */
export function send({ url, method, headers, body }: ApiRequest): Promise<Response> {
  return heard(fetch(url, { method, headers, body }))
}

/** As `send`, telling how much of the body has left, from 0 to 1: `fetch` cannot say that. */
export function sendWithProgress(
  { url, method, headers, body }: ApiRequest,
  onProgress: (share: number) => void,
): Promise<Response> {
  const answer = new Promise<Response>((resolve, reject) => {
    const request = new XMLHttpRequest()
    request.open(method, url)
    for (const [name, value] of Object.entries(headers)) request.setRequestHeader(name, value)
    request.upload.onprogress = ({ lengthComputable, loaded, total }) => {
      if (lengthComputable) onProgress(loaded / total)
    }
    request.onload = () => {
      const { status, responseText } = request
      const type = request.getResponseHeader('Content-Type') ?? 'application/json'
      resolve(
        new Response(status === 204 ? null : responseText, { status, headers: { 'Content-Type': type } }),
      )
    }
    request.onerror = () => reject(new TypeError('no answer'))
    request.onabort = request.onerror
    request.send(body)
  })
  return heard(answer)
}

/** Remembers whether an answer came. */
function heard(answer: Promise<Response>): Promise<Response> {
  answer.then(answered, unanswered)
  return answer
}
