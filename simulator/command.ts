import { parseArgs } from 'node:util'
import { FAULT_LEVELS, FAULTS, type FaultLevel } from './lane/faults.ts'
import { openSqlite } from './lane/sqlite.ts'
import { type Outcome, run } from './run.ts'

const USAGE =
  'npm run simulate -- --seed 7 --years 1 [--days 30] [--investors 200] [--faults none|some|storm] [--only 1,2,3]'

interface Settings {
  readonly seed: number
  readonly days: number
  readonly investors: number
  readonly faults: FaultLevel
  readonly only: readonly number[] | null
}

/** Plays one seed and prints what happened. Returns the exit code. */
export async function simulate(args: readonly string[], print: (line: string) => void): Promise<number> {
  const settings = settingsOf(args)
  if (settings === null) {
    print(USAGE)
    return 2
  }
  const beganMs = performance.now()
  const { only, ...played } = settings
  const outcome = await run({
    ...played,
    open: openSqlite,
    isSynchronous: true,
    ...(only !== null && { only: new Set(only) }),
    progress: (day, watch) => {
      if (day % 91 < 7) print(`day ${day}: ${watch.requests} requests, ${watch.decisions} decisions`)
    },
  })
  const seconds = (performance.now() - beganMs) / 1000
  for (const line of summaryOf(outcome, seconds)) print(line)
  if (outcome.failure !== null) {
    const { rule, finding, step, trace } = outcome.failure
    print(`BROKEN ${rule}`)
    print(finding)
    print(
      step === null
        ? 'After the plan, while everybody took their money out.'
        : `Step ${step.number}: ${step.kind} ${step.who}`,
    )
    for (const line of trace) print(`  ${line}`)
    print(`Repeat it: ${commandOf(settings)}`)
  }
  print(`ledger ${outcome.ledger}`)
  return outcome.failure === null ? 0 : 1
}

function settingsOf(args: readonly string[]): Settings | null {
  try {
    const { values } = parseArgs({
      args: [...args],
      options: {
        seed: { type: 'string', default: '1' },
        years: { type: 'string' },
        days: { type: 'string' },
        investors: { type: 'string', default: '200' },
        faults: { type: 'string', default: 'some' },
        only: { type: 'string' },
      },
    })
    const days = values.days ?? String(Math.round(Number(values.years ?? '1') * 365.25))
    const { faults } = values
    if (
      !isFaultLevel(faults) ||
      ![values.seed, days, values.investors].every((each) => /^\d{1,9}$/.test(each))
    )
      return null
    if (Number(values.investors) < 1) return null
    const only = values.only?.split(',').map(Number) ?? null
    return {
      seed: Number(values.seed),
      days: Number(days),
      investors: Number(values.investors),
      faults,
      only,
    }
  } catch {
    return null
  }
}

function isFaultLevel(text: string): text is FaultLevel {
  return text in FAULT_LEVELS
}

function commandOf({ seed, days, investors, faults }: Settings): string {
  return `npm run simulate -- --seed ${seed} --days ${days} --investors ${investors} --faults ${faults}`
}

function summaryOf(outcome: Outcome, seconds: number): string[] {
  const { days, requests, decisions, checks, steps, faults, moved } = outcome
  return [
    `${days} days in ${seconds.toFixed(1)} s (${(days / seconds).toFixed(1)} days a second): ${steps} steps, ${requests} requests, ${decisions} decisions, ${checks} rules checked`,
    ...moved.map(({ code, times, cents }) => `  ${code}: ${times}, $${(cents / 100).toFixed(2)}`),
    ...[...faults].map(([fault, times]) => `  ${times} × ${FAULTS[fault]}`),
  ]
}
