import type { AnswerOf } from '../contract/endpoint.ts'
import type { listConditions } from '../contract/platform/platform.ts'
import { get, LOST_WORDS } from './publicApi.ts'

/**
 * Puts in what holds now wherever a page names a setting: it was built with what the software comes with. Without an
 * answer the page stays as it was published, which it says of itself.
 */
async function showSettingsInForce(): Promise<void> {
  const places = document.querySelectorAll<HTMLElement>('[data-setting]')
  if (places.length === 0) return
  const answer = await get<AnswerOf<typeof listConditions>>('/conditions')
  if (answer.state !== 'answered') throw new Error(answer.state === 'refused' ? answer.msg : LOST_WORDS)
  const conditions = answer.body
  for (const place of places) {
    const { setting, off, on } = place.dataset
    const condition = conditions.find((each) => each.setting === setting)
    if (condition === undefined) continue
    const words = (condition.value ? on : off) ?? condition.words
    if (place.textContent !== words) place.textContent = words
  }
}

showSettingsInForce().catch((error: unknown) => {
  console.error(`What holds now was not loaded: ${error}`)
})
