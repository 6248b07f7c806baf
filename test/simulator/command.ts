import { simulateChains } from './chains/command.ts'
import { FAULTS } from './lane/faults.ts'
import { openSqlite } from './lane/sqlite.ts'
import { recordRun } from './record.ts'
import { type Failure, type Outcome, type RunOptions, run } from './run.ts'
import { type Command, formatRanges, type Settings } from './settings.ts'
import { shorten } from './shorten.ts'
import { simulateVenues } from './venues/command.ts'

/** How long a failed run is shortened. */
const SHORTENING_MS = 60_000
const SHORTENING_TRIES = 200
const WEEKS_BETWEEN_LINES = 13

/** One of so many seeds of a range is played again in workerd. */
const SEEDS_PER_REPLAY = 100

/** Plays what was asked for, and prints what happened. Returns whether all rules were kept. */
export function simulate(command: Command, print: (line: string) => void): Promise<boolean> {
  if (command.kind === 'chains') return simulateChains(command.seeds, command.isQuick, print)
  if (command.kind === 'venues') return simulateVenues(command.seeds, command.faults, print)
  const { seeds } = command
  return seeds === null ? playSeed(command, print) : playSeeds(seeds, command, print)
}

/** Returns whether all rules were kept. */
async function playSeed(settings: Settings, print: (line: string) => void): Promise<boolean> {
  const beganMs = performance.now()
  let weeks = 0
  const outcome = await play(settings, (day, watch) => {
    weeks += 1
    if (weeks % WEEKS_BETWEEN_LINES === 0)
      print(`day ${day}: ${watch.requests} requests, ${watch.decisions} decisions`)
  })
  for (const line of summaryOf(outcome, (performance.now() - beganMs) / 1000)) print(line)
  const { failure } = outcome
  const options = optionsOf(settings)
  if (failure !== null) {
    printFailure(settings.seed, failure, print)
    print(`Repeat it: ${commandOf(settings)}`)
    if (!settings.isInWorkerd && settings.defect === null)
      print(`Play it in workerd: ${commandOf({ ...settings, isInWorkerd: true })}`)
  } else if (settings.isRecorded)
    recordRun(options, outcome, { on: new Date().toISOString().slice(0, 10), command: commandOf(settings) })
  if (failure !== null && !settings.isQuick && !settings.isInWorkerd) {
    const untilMs = performance.now() + SHORTENING_MS
    const limits = { tries: SHORTENING_TRIES, isLate: () => performance.now() > untilMs }
    const shortest = await shorten(options, failure, outcome.played, limits)
    print(
      `After ${shortest.tries} shorter runs, ${shortest.steps.length} of ${outcome.played.length} steps break it:`,
    )
    printFailure(settings.seed, shortest.failure, print)
    print(`Repeat it: ${commandOf({ ...settings, only: shortest.steps })}`)
  }
  print(`ledger ${outcome.ledger}`)
  return failure === null
}

/**
 * Plays a range of seeds, and in workerd too every hundredth of them and those that break a rule. Returns whether all rules were kept,
 * and workerd ended with the same ledger.
 */
async function playSeeds(
  seeds: readonly number[],
  settings: Settings,
  print: (line: string) => void,
): Promise<boolean> {
  let isKept = true
  for (const seed of seeds) {
    const chosen = { ...settings, seed }
    const { failure, requests, ledger } = await play(chosen)
    print(`seed ${seed}: ${requests} requests, ledger ${ledger}`)
    if (failure !== null) {
      isKept = false
      printFailure(seed, failure, print)
      print(`Repeat it: ${commandOf(chosen)}`)
    }
    if (failure === null && seed % SEEDS_PER_REPLAY !== 0) continue
    const again = await play({ ...chosen, isInWorkerd: true })
    const isSame = again.ledger === ledger && again.failure?.rule === failure?.rule
    print(isSame ? `seed ${seed}: the same in workerd` : `DIFFERENT in workerd: ledger ${again.ledger}`)
    if (isSame) continue
    isKept = false
    if (again.failure !== null) printFailure(seed, again.failure, print)
    print(`Repeat it: ${commandOf({ ...chosen, isInWorkerd: true })}`)
  }
  return isKept
}

/** Plays a run here or in workerd. */
async function play(settings: Settings, progress?: RunOptions['progress']): Promise<Outcome> {
  const { seed, days, investors, faults, haste, everyMinute, startMs, only, isInWorkerd } = settings
  if (isInWorkerd) {
    // Loaded only here, because it loads miniflare.
    const { replay } = await import('./replay.ts')
    return replay({ seed, days, investors, faults, haste, everyMinute, startMs, only })
  }
  return run({
    ...optionsOf(settings),
    ...(only !== null && { only: new Set(only) }),
    ...(progress !== undefined && { progress }),
  })
}

/** The options of a run of the whole plan. */
function optionsOf({ seed, days, investors, faults, haste, everyMinute, startMs }: Settings): RunOptions {
  return { seed, days, investors, faults, haste, everyMinute, startMs, open: openSqlite, isSynchronous: true }
}

function printFailure(seed: number, { finding, step, trace }: Failure, print: (line: string) => void): void {
  print(`BROKEN ${finding}`)
  print(
    step === null
      ? `Seed ${seed}, after the plan, while everybody took their money out.`
      : `Seed ${seed}, step ${step.number}: ${step.kind} ${step.who}`,
  )
  for (const line of trace) print(`  ${line}`)
}

/** The command that repeats a run. */
function commandOf({
  seed,
  days,
  investors,
  faults,
  haste,
  everyMinute,
  startMs,
  only,
  isInWorkerd,
  defect,
}: Settings): string {
  const parts = [
    `npm run simulate -- --seed ${seed} --days ${days} --investors ${investors} --faults ${faults}`,
    haste === 1 ? '' : `--haste ${haste}`,
    everyMinute ? '--every-minute' : '',
    startMs === undefined ? '' : `--start ${new Date(startMs).toISOString().slice(0, 10)}`,
    only === null ? '' : `--only ${formatRanges(only)}`,
    isInWorkerd ? '--in-workerd' : '',
    defect === null ? '' : `--defect ${defect}`,
  ]
  return parts.filter((part) => part !== '').join(' ')
}

function summaryOf(outcome: Outcome, seconds: number): string[] {
  const { days, requests, decisions, checks, played, faults, moved } = outcome
  return [
    `${days} days in ${seconds.toFixed(1)} s (${(days / seconds).toFixed(1)} days a second): ${played.length} steps, ${requests} requests, ${decisions} decisions, ${checks} rules checked`,
    ...moved.map(({ code, times, cents }) => `  ${code}: ${times}, $${(cents / 100).toFixed(2)}`),
    ...[...faults].map(([fault, times]) => `  ${times} × ${FAULTS[fault]}`),
  ]
}
