import type { AnswerOf } from '../contract/endpoint.ts'
import type { listConditions } from '../contract/platform/platform.ts'
import { get } from './publicApi.ts'

/**
 * Replaces the default settings on a page by their current values. If the request fails, the page keeps the defaults, and its
 * text says that they may have changed.
 */
async function showSettingsInForce(): Promise<void> {
  const places = document.querySelectorAll<HTMLElement>('[data-setting]')
  if (places.length === 0) return
  const answer = await get<AnswerOf<typeof listConditions>>('/conditions')
  if (answer.state === 'failed') throw new Error(answer.msg)
  const conditions = answer.body
  for (const place of places) {
    const { setting, off, on } = place.dataset
    const condition = conditions.find((settingCondition) => settingCondition.setting === setting)
    if (condition === undefined) continue
    const words = (condition.value ? on : off) ?? condition.words
    if (place.textContent !== words) place.textContent = words
  }
}

showSettingsInForce().catch((error: unknown) => {
  console.error(`What holds now was not loaded: ${error}`)
})
