import { parseArgs } from 'node:util'
import { simulateChains } from './chains/command.ts'
import { FAULT_LEVELS, FAULTS, type FaultLevel } from './lane/faults.ts'
import { openSqlite } from './lane/sqlite.ts'
import { DAY_MS } from './plan.ts'
import { recordRun } from './record.ts'
import { type Failure, type Outcome, type RunOptions, run } from './run.ts'
import { numbersOf, rangesOf, shorten } from './shorten.ts'

const USAGE =
  'npm run simulate -- --seed 7 --years 1 [--days 30] [--investors 200] [--faults none|some|storm] [--haste 1] [--start 2028-02-01] [--only 1-20,35] [--every-minute] [--quick] [--record] [--in-workerd] [--seeds 1-100] | --chains 500 [--quick]'

/** How long a failed run is shortened. */
const SHORTENING_MS = 60_000
const SHORTENING_TRIES = 200
const WEEKS_BETWEEN_LINES = 13

interface Settings {
  readonly seed: number
  readonly days: number
  readonly investors: number
  readonly faults: FaultLevel
  readonly haste: number
  /** Epoch milliseconds. */
  readonly startMs?: number
  readonly only: readonly number[] | null
  readonly everyMinute: boolean
  /** A failed run is not shortened. */
  readonly isQuick: boolean
  /** The run is added to `data/simulations.json`. */
  readonly isRecorded: boolean
  /** The run is played in workerd. */
  readonly isInWorkerd: boolean
}

/** One of so many seeds of a range is played again in workerd. */
const SEEDS_PER_REPLAY = 100

/** Plays one seed, or a range of seeds, and prints what happened. Returns the exit code. */
export async function simulate(args: readonly string[], print: (line: string) => void): Promise<number> {
  const chains = chainsOf(args)
  if (chains !== null) return (await simulateChains(chains, args.includes('--quick'), print)) ? 0 : 1
  const chosen = settingsOf(args)
  if (chosen === null) {
    print(USAGE)
    return 2
  }
  const { seeds, ...settings } = chosen
  const isKept = seeds === null ? await playSeed(settings, print) : await playSeeds(seeds, settings, print)
  return isKept ? 0 : 1
}

/** The seeds of `--chains 500` or `--chains 7-9`; null without this option. */
function chainsOf(args: readonly string[]): readonly number[] | null {
  const [name, seeds = '', ...more] = args
  if (name !== '--chains' || more.some((option) => option !== '--quick')) return null
  return /^[1-9]\d{0,5}$/.test(seeds) ? numbersOf(`1-${seeds}`) : numbersOf(seeds)
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
    printFailure(failure, print)
    if (!settings.isInWorkerd) print(`Play it in workerd: ${commandOf(settings)} --in-workerd`)
  } else if (settings.isRecorded)
    recordRun(options, outcome, { on: new Date().toISOString().slice(0, 10), command: commandOf(settings) })
  if (failure !== null && !settings.isQuick && !settings.isInWorkerd) {
    const untilMs = performance.now() + SHORTENING_MS
    const limits = { tries: SHORTENING_TRIES, isLate: () => performance.now() > untilMs }
    const shortest = await shorten(options, failure, outcome.played, limits)
    print(
      `After ${shortest.tries} shorter runs, ${shortest.steps.length} of ${outcome.played.length} steps break it:`,
    )
    printFailure(shortest.failure, print)
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
      printFailure(failure, print)
      print(`Repeat it: ${commandOf(chosen)}`)
    }
    if (failure === null && seed % SEEDS_PER_REPLAY !== 0) continue
    const again = await play({ ...chosen, isInWorkerd: true })
    const isSame = again.ledger === ledger && again.failure?.rule === failure?.rule
    print(isSame ? `seed ${seed}: the same in workerd` : `DIFFERENT in workerd: ledger ${again.ledger}`)
    if (isSame) continue
    isKept = false
    if (again.failure !== null) printFailure(again.failure, print)
    print(`Repeat it: ${commandOf(chosen)} --in-workerd`)
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

function printFailure({ finding, step, trace }: Failure, print: (line: string) => void): void {
  print(`BROKEN ${finding}`)
  print(
    step === null
      ? 'After the plan, while everybody took their money out.'
      : `Step ${step.number}: ${step.kind} ${step.who}`,
  )
  for (const line of trace) print(`  ${line}`)
}

function settingsOf(args: readonly string[]): (Settings & { seeds: readonly number[] | null }) | null {
  try {
    const { values } = parseArgs({
      args: [...args],
      options: {
        seed: { type: 'string', default: '1' },
        years: { type: 'string' },
        days: { type: 'string' },
        investors: { type: 'string', default: '200' },
        faults: { type: 'string', default: 'some' },
        haste: { type: 'string', default: '1' },
        start: { type: 'string' },
        only: { type: 'string' },
        'every-minute': { type: 'boolean', default: false },
        quick: { type: 'boolean', default: false },
        record: { type: 'boolean', default: false },
        'in-workerd': { type: 'boolean', default: false },
        seeds: { type: 'string' },
      },
    })
    const days = values.days ?? String(Math.round(Number(values.years ?? '1') * 365.25))
    const { faults, haste, investors, seed } = values
    const only = values.only === undefined ? null : numbersOf(values.only)
    const areNumbers = [seed, days, investors, haste].every((each) => /^\d{1,9}$/.test(each))
    if (!isFaultLevel(faults) || !areNumbers || Number(investors) < 1) return null
    if (values.only !== undefined && only === null) return null
    // A recorded run is repeated by its seed, days, investors and failures alone.
    if (
      values.record &&
      (only !== null || haste !== '1' || values.start !== undefined || values['every-minute'])
    )
      return null
    const startMs = values.start === undefined ? undefined : Date.parse(values.start)
    if (startMs !== undefined && !(startMs % DAY_MS === 0)) return null
    const seeds = values.seeds === undefined ? null : numbersOf(values.seeds)
    if (values.seeds !== undefined && seeds === null) return null
    return {
      seed: Number(seed),
      days: Number(days),
      investors: Number(investors),
      faults,
      haste: Number(haste),
      ...(startMs !== undefined && { startMs }),
      only,
      everyMinute: values['every-minute'],
      isQuick: values.quick,
      isRecorded: values.record,
      isInWorkerd: values['in-workerd'],
      seeds,
    }
  } catch {
    return null
  }
}

function isFaultLevel(text: string): text is FaultLevel {
  return text in FAULT_LEVELS
}

/** The command that repeats a run. */
function commandOf({ seed, days, investors, faults, haste, everyMinute, startMs, only }: Settings): string {
  const parts = [
    `npm run simulate -- --seed ${seed} --days ${days} --investors ${investors} --faults ${faults}`,
    haste === 1 ? '' : `--haste ${haste}`,
    everyMinute ? '--every-minute' : '',
    startMs === undefined ? '' : `--start ${new Date(startMs).toISOString().slice(0, 10)}`,
    only === null ? '' : `--only ${rangesOf(only)}`,
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
