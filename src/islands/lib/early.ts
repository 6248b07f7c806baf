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
 * A script for the head of a signed-in page, after `guardBeforePaint`. It sends the page's first calls while the islands' scripts load,
 * and shows the figures of their answers where the page waits for them (`early` of `Skeleton`). Meanwhile the browser loads its data for
 * formatting, which it otherwise does with the first number or date. The page's CSP contains the script's hash.
 * @param addresses of GET calls, as `addressOf` returns them for the islands' own calls
 */
export function buildEarlyCallsScript(addresses: readonly string[]): string {
  return `(() => {
if (document.documentElement.hidden) return
${SHOW_FIGURES}
const { token } = JSON.parse(localStorage.getItem('${SESSION_KEY}')), answers = {}
for (const address of ${JSON.stringify(addresses)})
  (answers[address] = fetch(address, { headers: { Accept: 'application/json', Authorization: 'Bearer ' + token } })
    .then((answer) => (show(answer.clone()).catch(() => {}), answer)))
    .catch(() => { delete answers[address] })
window.earlyAnswers = { token, answers }
window.requestIdleCallback?.(() => new Intl.NumberFormat('en-US', { style: 'currency', currency: 'USD' }).format(1))
})()`
}

/**
 * The part that shows amounts. It repeats the format of `formatUsd`, because an inline script cannot import it. It leaves amounts of more than
 * 12 characters to the island, because the overview's value then needs a smaller font.
 */
const SHOW_FIGURES = `const show = async (answer) => {
  if (document.readyState === 'loading')
    await new Promise((parsed) => document.addEventListener('readystatechange', parsed, { once: true }))
  const places = document.querySelectorAll('[data-early]')
  const body = places.length && answer.ok ? await answer.json() : {}
  for (const place of places) {
    const [, plus, field] = /^(\\+?)(.*)/.exec(place.dataset.early), usd = body[field]
    if (typeof usd !== 'number') continue
    const digits = Math.abs(usd).toFixed(2).replace(/\\B(?=(\\d{3})+\\.)/g, ',')
    const text = (usd < 0 ? '−' : usd ? plus : '') + '$' + digits
    if (text.length < 13) place.textContent = text
  }
}`

/** Takes the answer of a call that was sent early. Undefined if this session sent no such call. */
export function takeEarly(address: string, authorization: string | undefined): Promise<Response> | undefined {
  const early = globalThis.window?.earlyAnswers
  if (early === undefined || authorization !== `Bearer ${early.token}`) return undefined
  const answer = early.answers[address]
  delete early.answers[address]
  return answer
}
