import type { DecisionTime } from '../../contract/money/decisionTimes.ts'

/** What is done with what: "withdrawals", "decided", and how long that took lately. */
export type Told = readonly [things: string, done: string, time: DecisionTime]

/** How long decisions take, with from how many that is known: the figures that operators see, too. */
export function DecisionTimes({ told }: { told: readonly Told[] }) {
  const sample = told.map(([, , time]) => time).find((time) => time !== null)
  return (
    <p>
      {told.map((each) => decisionWords(...each)).join(' ')} {sample && sampleWords(sample)}
    </p>
  )
}

/** How long something takes, as a sentence: `things` are "withdrawals", which are `done`: "decided". */
export function decisionWords(things: string, done: string, time: DecisionTime): string {
  if (time === null) return `Too few ${things} were ${done} lately to say how long it takes.`
  const [usually, mostly] = [duration(time.medianMinutes), duration(time.p95Minutes)]
  return usually === mostly
    ? `19 of 20 ${things} are ${done} within ${mostly}.`
    : `${things.charAt(0).toUpperCase()}${things.slice(1)} are usually ${done} within ${usually}; 19 of 20 within ${mostly}.`
}

/** From what the figures are. */
export function sampleWords({ decisions, days }: NonNullable<DecisionTime>): string {
  return `Measured over ${days === 1 ? 'one day' : `the last ${days} days`}, from ${decisions} or more.`
}

/** Minutes as they are rounded: minutes within the hour, hours within two days, then days. */
export function duration(minutes: number): string {
  if (minutes < 60) return `${minutes} minutes`
  const hours = Math.ceil(minutes / 60)
  if (hours <= 48 && hours !== 24) return hours === 1 ? '1 hour' : `${hours} hours`
  const days = Math.ceil(hours / 24)
  return days === 1 ? '1 day' : `${days} days`
}
