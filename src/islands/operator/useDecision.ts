import { useState } from 'react'
import type { DecisionProps } from './decision.ts'
import type { OutcomeWords } from './Outcome.tsx'

export interface DecisionOptions<Row> {
  /** The row as last loaded; kept when the list that it came from no longer holds it. */
  current: Row | undefined
  /** What a decision led to, in words. */
  outcomeOf: (row: Row) => OutcomeWords
  onDecided: (row: Row) => void
  /** Somebody else was faster: loads what is true now, or leaves it to the list by answering null. */
  refresh: () => Promise<Row | null>
}

export interface Decision<Row> {
  row: Row | undefined
  /** Set once something was decided, by whomever. */
  outcome: OutcomeWords | null
  /** For the forms that decide. */
  props: Pick<DecisionProps<Row>, 'onDecided' | 'onOvertaken'>
}

/** Follows an open thing from what was loaded to what was decided about it. */
export function useDecision<Row>({
  current,
  outcomeOf,
  onDecided,
  refresh,
}: DecisionOptions<Row>): Decision<Row> {
  const [kept, keep] = useState(current)
  const [decided, setDecided] = useState<Row | null>(null)
  const [outcome, setOutcome] = useState<OutcomeWords | null>(null)
  if (current !== undefined && current !== kept) keep(current)
  const take = (row: Row) => {
    setDecided(row)
    onDecided(row)
  }
  return {
    row: decided ?? current ?? kept,
    outcome,
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
