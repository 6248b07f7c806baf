import type { OutcomeWords } from './Outcome.tsx'

/** Says that an open thing became something else without being decided here; `who` is the name of who did it. */
export function decidedElsewhere(status: string, who: string | null): OutcomeWords {
  const text =
    status === 'cancelled'
      ? 'Who asked for it has cancelled it meanwhile. There is nothing left to decide.'
      : `${who ?? 'Somebody else'} was faster: it is ${status} now. Nothing of yours was sent.`
  return { tone: 'caution', title: status === 'cancelled' ? 'Cancelled' : 'Already decided', text }
}
