import type { DecisionTime } from '../../contract/money/decisionTimes.ts'

/** How long each kind of decision takes, and how many decisions were measured. Operators see the same figures. */
export function DecisionTimes({ kinds }: { kinds: readonly Parameters<typeof describeDecisionTime>[] }) {
  const known = kinds.filter(([, , time]) => time !== null)
  const sample = known[0]?.[2]
  if (!sample) return <p>{kinds[0] && describeDecisionTime(...kinds[0])}</p>
  return (
    <p>
      {known.map((kind) => describeDecisionTime(...kind)).join(' ')} {describeSample(sample)}
    </p>
  )
}

/** How long a kind of decision takes, as a sentence: `things` are "withdrawals", `done` is "decided". */
export function describeDecisionTime(things: string, done: string, time: DecisionTime): string {
  if (time === null) return `Not enough recent ${things} to show a typical time.`
  const [usually, mostly] = [formatDuration(time.medianMinutes), formatDuration(time.p95Minutes)]
  return usually === mostly
    ? `19 of 20 ${things} are ${done} within ${mostly}.`
    : `${things.charAt(0).toUpperCase()}${things.slice(1)} are usually ${done} within ${usually}; 19 of 20 within ${mostly}.`
}

/** The period and the number of decisions that the figures are based on. */
export function describeSample({ decisions, days }: NonNullable<DecisionTime>): string {
  return `Measured over ${days === 1 ? 'one day' : `the last ${days} days`}, from ${decisions} or more.`
}

/** A number of minutes in words, rounded up: minutes below an hour, hours up to two days, then days. */
export function formatDuration(minutes: number): string {
  if (minutes < 60) return `${minutes} minutes`
  const hours = Math.ceil(minutes / 60)
  if (hours <= 48 && hours !== 24) return hours === 1 ? '1 hour' : `${hours} hours`
  const days = Math.ceil(hours / 24)
  return days === 1 ? '1 day' : `${days} days`
}
