import type { DecisionTime } from '../../contract/money/decisionTimes.ts'
import { decisionWords, sampleWords } from './decisionWords.ts'

/** What is done with what: "withdrawals", "decided", and how long that took lately. */
export type Told = readonly [things: string, done: string, time: DecisionTime]

/** How long decisions take, with from how many that is known: the figures that operators see, too. */
export function HowLong({ told }: { told: readonly Told[] }) {
  const sample = told.map(([, , time]) => time).find((time) => time !== null)
  return (
    <p>
      {told.map((each) => decisionWords(...each)).join(' ')} {sample && sampleWords(sample)}
    </p>
  )
}
