import { SESSION_KEY } from './guard.ts'

/** Answers that were asked for before the islands loaded, by address. Each is taken once. A call that fails is removed. */
interface EarlyAnswers {
  /** The token that all of them were asked with. */
  readonly token: string
  readonly answers: Record<string, Promise<Response> | undefined>
}

declare global {
  interface Window {
    earlyAnswers?: EarlyAnswers
  }
}

/**
 * A script for the head of a signed-in page, after `guardBeforePaint`. It sends the page's first calls while the islands' scripts load. The
 * page's CSP contains the script's hash.
 * @param addresses of GET calls, as `addressOf` returns them for the islands' own calls
 */
export function buildEarlyCallsScript(addresses: readonly string[]): string {
  return `(() => {
if (document.documentElement.hidden) return
const { token } = JSON.parse(localStorage.getItem('${SESSION_KEY}')), answers = {}
for (const address of ${JSON.stringify(addresses)})
  (answers[address] = fetch(address, { headers: { Accept: 'application/json', Authorization: 'Bearer ' + token } }))
    .catch(() => { delete answers[address] })
window.earlyAnswers = { token, answers }
})()`
}

/** Takes the answer of a call that was sent early. Undefined if this session sent no such call. */
export function takeEarly(address: string, authorization: string | undefined): Promise<Response> | undefined {
  const early = globalThis.window?.earlyAnswers
  if (early === undefined || authorization !== `Bearer ${early.token}`) return undefined
  const answer = early.answers[address]
  delete early.answers[address]
  return answer
}
