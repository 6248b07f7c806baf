import { parseArgs } from 'node:util'
import { DAY_MS } from '../../src/time.ts'
import { simulateChains } from './chains/command.ts'
import { FAULT_LEVELS, FAULTS, type FaultLevel } from './lane/faults.ts'
import { openSqlite } from './lane/sqlite.ts'
import { recordRun } from './record.ts'
import { type Failure, type Outcome, type RunOptions, run } from './run.ts'
import { numbersOf, rangesOf, shorten } from './shorten.ts'
import { simulateVenues } from './venues/command.ts'

const USAGE =
  'npm run simulate -- --seed 7 --years 1 [--days 30] [--investors 200] [--faults none|some|storm] [--haste 1] [--start 2028-02-01] [--only 1-20,35] [--every-minute] [--quick] [--record] [--in-workerd] [--seeds 1-100] [--defect NAME] | --chains 500 [--quick] [--defect NAME] | --venues 500 [--faults none|storm]'

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
  /** The defect that `test/commands/simulate.mjs` planted. */
  readonly defect: string | null
}

/** One of so many seeds of a range is played again in workerd. */
const SEEDS_PER_REPLAY = 100

/** Plays one seed, or a range of seeds, and prints what happened. Returns the exit code. */
export async function simulate(args: readonly string[], print: (line: string) => void): Promise<number> {
  const chains = chainsOf(args)
  if (chains !== null) return (await simulateChains(chains, args.includes('--quick'), print)) ? 0 : 1
  const venues = venuesOf(args)
  if (venues !== null) return (await simulateVenues(venues.seeds, venues.faults, print)) ? 0 : 1
  const chosen = settingsOf(args)
  if (typeof chosen === 'string') {
    print(chosen)
    print(USAGE)
    return 2
  }
  const { seeds, ...settings } = chosen
  const isKept = seeds === null ? await playSeed(settings, print) : await playSeeds(seeds, settings, print)
  return isKept ? 0 : 1
}

/** The seeds of `--chains 500` or `--chains 7-9`; null without this option or with others than `--quick` and `--defect`. */
function chainsOf(args: readonly string[]): readonly number[] | null {
  try {
    const options = {
      chains: { type: 'string', default: '' },
      quick: { type: 'boolean' },
      defect: { type: 'string' },
    } as const
    const { chains } = parseArgs({ args: [...args], options }).values
    return /^[1-9]\d{0,5}$/.test(chains) ? numbersOf(`1-${chains}`) : numbersOf(chains)
  } catch {
    return null
  }
}

/** The seeds of `--venues 500` or `--venues 7-9`, and its failures; null without this option or with others. */
function venuesOf(
  args: readonly string[],
): { readonly seeds: readonly number[]; readonly faults: 'none' | 'storm' } | null {
  const [name, text = '', option = '--faults', faults = 'storm', ...more] = args
  if (name !== '--venues' || option !== '--faults' || more.length > 0) return null
  const seeds = /^[1-9]\d{0,5}$/.test(text) ? numbersOf(`1-${text}`) : numbersOf(text)
  return seeds === null || (faults !== 'none' && faults !== 'storm') ? null : { seeds, faults }
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

/** Options that make no sense together: a recorded run is repeated by its seed, days, investors and failures alone. */
const CONFLICTS = {
  record: ['only', 'start', 'haste', 'every-minute', 'seeds', 'defect'],
  // A defect is planted in Node only.
  defect: ['in-workerd', 'seeds'],
} as const

/** The chosen settings, or what is wrong with the options. */
function settingsOf(args: readonly string[]): (Settings & { seeds: readonly number[] | null }) | string {
  try {
    const { values } = parseArgs({
      args: [...args],
      options: {
        seed: { type: 'string', default: '1' },
        years: { type: 'string' },
        days: { type: 'string' },
        investors: { type: 'string', default: '200' },
        faults: { type: 'string', default: 'some' },
        haste: { type: 'string' },
        start: { type: 'string' },
        only: { type: 'string' },
        'every-minute': { type: 'boolean', default: false },
        quick: { type: 'boolean', default: false },
        record: { type: 'boolean', default: false },
        'in-workerd': { type: 'boolean', default: false },
        seeds: { type: 'string' },
        defect: { type: 'string' },
      },
    })
    for (const name of ['record', 'defect'] as const)
      for (const other of CONFLICTS[name])
        if (values[name] && values[other]) return `--${name} and --${other} exclude each other.`
    const { faults, start, days, years, seeds, only } = values
    if (!isFaultLevel(faults)) return `--faults is one of ${Object.keys(FAULT_LEVELS).join(', ')}.`
    const startMs = start === undefined ? undefined : Date.parse(start)
    if (startMs !== undefined && startMs % DAY_MS !== 0) return '--start is a day such as 2028-02-01.'
    const length = days === undefined ? yearsAsDays(years ?? '1') : wholeOf({ days }, 'days', 1, 36_525)
    return {
      seed: wholeOf(values, 'seed', 0, 999_999_999),
      days: length,
      investors: wholeOf(values, 'investors', 1, 10_000),
      faults,
      haste: wholeOf({ haste: values.haste ?? '1' }, 'haste', 1, 100),
      ...(startMs !== undefined && { startMs }),
      only: only === undefined ? null : rangeOf('only', only),
      everyMinute: values['every-minute'],
      isQuick: values.quick,
      isRecorded: values.record,
      isInWorkerd: values['in-workerd'],
      seeds: seeds === undefined ? null : rangeOf('seeds', seeds),
      defect: values.defect ?? null,
    }
  } catch (error) {
    if (error instanceof RangeError || error instanceof TypeError) return error.message
    throw error
  }
}

/** A whole number of an option. Throws a RangeError for anything else. */
function wholeOf<Name extends string>(
  values: Readonly<Record<Name, string>>,
  name: Name,
  least: number,
  most: number,
): number {
  const text = values[name]
  const number = Number(text)
  if (/^\d+$/.test(text) && number >= least && number <= most) return number
  throw new RangeError(`--${name} is a whole number from ${least} to ${most}.`)
}

function yearsAsDays(text: string): number {
  const days = Math.round(Number(text) * 365.25)
  if (days >= 1 && days <= 36_525) return days
  throw new RangeError('--years is a number of up to 100, and at least a day.')
}

function rangeOf(name: string, text: string): readonly number[] {
  const numbers = numbersOf(text)
  if (numbers === null || numbers.length === 0)
    throw new RangeError(`--${name} is a list of numbers and ranges such as 1-20,35.`)
  return numbers
}

function isFaultLevel(text: string): text is FaultLevel {
  return Object.hasOwn(FAULT_LEVELS, text)
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
    only === null ? '' : `--only ${rangesOf(only)}`,
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
