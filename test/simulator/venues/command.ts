import { type FaultLevel, playVenue, type VenueOutcome } from './play.ts'

const SEEDS_BETWEEN_LINES = 500

/**
 * Plays one exchange for each seed, and prints what happened: runs of the Worker, kills, orders, trades, faults by kind, and the broken
 * rules with the command that repeats each. Returns whether all rules were kept.
 */
export async function simulateVenues(
  seeds: readonly number[],
  level: FaultLevel,
  print: (line: string) => void,
): Promise<boolean> {
  const outcomes: VenueOutcome[] = []
  for (const seed of seeds) {
    const outcome = await playVenue(seed, level)
    outcomes.push(outcome)
    if (outcome.broken !== null) {
      print(`seed ${seed}, ${outcome.venue}: ${outcome.broken}`)
      print(`Repeat it: npm run simulate -- --venues ${seed}-${seed} --faults ${level}`)
    }
    if (outcomes.length % SEEDS_BETWEEN_LINES === 0) print(`${outcomes.length} exchanges played`)
  }
  const total = (of: (outcome: VenueOutcome) => number) => outcomes.reduce((sum, each) => sum + of(each), 0)
  print(
    `${outcomes.length} exchanges: ${total(({ ticks }) => ticks)} runs of the Worker, ${total(({ kills }) => kills)} of them killed, ${total(({ orders }) => orders)} orders, ${total(({ absent }) => absent)} of them never arrived, ${total(({ fills }) => fills)} trades booked`,
  )
  print(
    `  ${total(({ isDisturbed }) => Number(isDisturbed))} accounts that somebody else traded with, ${total(({ isSuspended }) => Number(isSuspended))} strategies suspended, ${total(({ covers }) => covers)} debts paid by the company`,
  )
  const counts = new Map<string, number>()
  for (const { faults } of outcomes)
    for (const [fault, count] of Object.entries(faults)) counts.set(fault, (counts.get(fault) ?? 0) + count)
  for (const [fault, count] of counts) if (count > 0) print(`  ${count} × ${fault}`)
  const broken = outcomes.filter((outcome) => outcome.broken !== null).length
  print(broken === 0 ? 'All rules were kept' : `${broken} seeds broke a rule`)
  return broken === 0
}
