import type { Strategy } from '../../../contract/investing/strategies.ts'
import { get } from '../../../layouts/publicApi.ts'

/** Says where a strategy runs on live prices of real coins. Without an answer the page keeps saying that it does not. */
export async function showRunning(): Promise<void> {
  const place = document.querySelector<HTMLElement>('[data-running]')
  if (place === null) return
  const answer = await get<Strategy[]>('/strategies')
  if (answer.state === 'failed') return
  const slugs = place.dataset.running?.split(' ') ?? []
  const names = answer.body.filter(({ slug, status }) => slugs.includes(slug) && status === 'active')
  if (names.length === 0) return
  place.textContent = `Running on live prices, with simulated money: ${names.map(({ name }) => name).join(', ')}`
}
