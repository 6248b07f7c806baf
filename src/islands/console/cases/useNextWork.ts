import { getWork } from '../../../contract/console/workItems.ts'
import { saveToastForNextPage } from '../../../design/toasts.ts'
import { call } from '../../lib/api.ts'
import type { OutcomeWords } from './Case.tsx'
import { useAddress } from './useAddress.ts'
import { useOperator } from './useOperator.ts'

/**
 * Returns a function for the last decision of a queue: it opens the next work in another queue, with the outcome as a toast.
 * It has no effect if the case was not opened from the operator's work, or if no work is left.
 */
export function useNextWork(): (decidedId: string, outcome: OutcomeWords) => void {
  const [via] = useAddress('via', '')
  const { me } = useOperator()
  return async (decidedId, { title, text }) => {
    if (via !== 'work') return
    // Without the list, the outcome stays with its buttons.
    const work = await call(getWork, { quiet: true }).catch(() => null)
    if (work === null) return
    // Loaded when needed, because most decisions lead to the next case of the same queue.
    const { findNextWorkHref: nextOf } = await import('../work/words.ts')
    const next = nextOf(work.items, decidedId, me?._id)
    if (next === null) return
    saveToastForNextPage([title, text].filter((part) => typeof part === 'string').join('. '))
    location.assign(next)
  }
}
