import { useState } from 'react'
import type { DecisionProps } from './decision.ts'
import type { OutcomeWords } from './Outcome.tsx'
import { useLookAgain } from './useWaiting.ts'
import { look as countAgain } from './waiting.ts'

export interface DecisionOptions<Row> {
  /** The row as last loaded; kept when the list that it came from no longer holds it. */
  current: Row | undefined
  /** What a decision led to, in words. */
  outcomeOf: (row: Row) => OutcomeWords
  /** Who made it what it is, by name; null where nobody of the console did. */
  deciderOf: (row: Row) => string | null
  onDecided: (row: Row) => void
  /** Somebody else was faster: loads what is true now, or leaves it to the list by answering null. */
  refresh: () => Promise<Row | null>
  /** Loads it again whenever it may have changed; left out where the list does. */
  look?: () => Promise<Row>
}

export interface Decision<Row> {
  row: Row | undefined
  /** Set once something was decided, by whomever. */
  outcome: OutcomeWords | null
  /** For the forms that decide. */
  props: Pick<DecisionProps<Row>, 'onDecided' | 'onOvertaken'>
}

/** Follows an open thing from what was loaded to what was decided about it, here or by somebody else meanwhile. */
export function useDecision<Row extends { status: string }>({
  current,
  outcomeOf,
  deciderOf,
  onDecided,
  refresh,
  look,
}: DecisionOptions<Row>): Decision<Row> {
  const [kept, keep] = useState(current)
  const [opened, setOpened] = useState(current)
  const [looked, setLooked] = useState<Row | null>(null)
  const [decided, setDecided] = useState<Row | null>(null)
  const [outcome, setOutcome] = useState<OutcomeWords | null>(null)
  if (current !== undefined && current !== kept) keep(current)
  if (current !== undefined && opened === undefined) setOpened(current)
  useLookAgain(() => {
    if (decided !== null || look === undefined) return
    // What it is could not be loaded: it stands as it was, and the server decides.
    look().then(setLooked, () => undefined)
  })
  const row = decided ?? looked ?? current ?? kept
  const isChanged = row !== undefined && opened !== undefined && row.status !== opened.status
  const take = (row: Row) => {
    setDecided(row)
    onDecided(row)
    countAgain()
  }
  return {
    row,
    outcome: outcome ?? (isChanged ? decidedElsewhere(row.status, deciderOf(row)) : null),
    props: {
      onDecided: (row) => {
        take(row)
        setOutcome(outcomeOf(row))
      },
      onOvertaken: (msg) => {
        setOutcome({ tone: 'caution', title: 'Nothing was done', text: msg })
        // What it now is could not be loaded: the sentence stands all the same.
        refresh().then(
          (row) => row !== null && take(row),
          () => undefined,
        )
      },
    },
  }
}

/** Says that an open thing became something else without being decided here; `who` is the name of who did it. */
function decidedElsewhere(status: string, who: string | null): OutcomeWords {
  const text =
    status === 'cancelled'
      ? 'Who asked for it has cancelled it meanwhile. There is nothing left to decide.'
      : `${who ?? 'Somebody else'} was faster: it is ${status} now. Nothing of yours was sent.`
  return { tone: 'caution', title: status === 'cancelled' ? 'Cancelled' : 'Already decided', text }
}
