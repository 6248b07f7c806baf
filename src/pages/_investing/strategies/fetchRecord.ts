import type { RecordEntry, StrategyDetail } from '../../../contract/investing/strategies.ts'
import { type Answer, get, LOST_WORDS } from '../../../layouts/publicApi.ts'
import { Lost } from './lost.ts'

/** A strategy as the API tells of it, and all of its valuations, oldest first. */
export interface Fetched {
  readonly detail: StrategyDetail
  readonly record: readonly RecordEntry[]
}

interface Page {
  readonly body: readonly RecordEntry[]
  readonly next: string | null
}

/** Fetches all pages of a record. `tell` is told how many valuations have come. Throws `Lost` where not everything does. */
export async function fetchRecord(slug: string, tell: (fetched: number) => void): Promise<Fetched> {
  const { body: detail } = answered(await get<StrategyDetail>(`/strategies/${slug}`))
  const record: RecordEntry[] = []
  for (let path: string | null = `/strategies/${slug}/record?limit=100`; path !== null; ) {
    const page: Page = answered(await get<RecordEntry[]>(path))
    record.push(...page.body)
    tell(record.length)
    path = page.next
  }
  return { detail, record: record.reverse() }
}

function answered<Body>(answer: Answer<Body>) {
  if (answer.state === 'answered') return answer
  throw new Lost(answer.state === 'lost' ? LOST_WORDS : answer.msg)
}
