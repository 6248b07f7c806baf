import { parseArgs } from 'node:util'
import { DAY_MS } from '../../src/time.ts'
import { FAULT_LEVELS, type FaultLevel } from './lane/faults.ts'

export interface Settings {
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

export type Command =
  | {
      readonly kind: 'chains'
      readonly seeds: readonly number[]
      readonly isQuick: boolean
      readonly defect: string | null
    }
  | {
      readonly kind: 'venues'
      readonly seeds: readonly number[]
      readonly faults: 'none' | 'storm'
      readonly defect: null
    }
  | (Settings & { readonly kind: 'run'; readonly seeds: readonly number[] | null })

const USAGE =
  'npm run simulate -- --seed 7 --years 1 [--days 30] [--investors 200] [--faults none|some|storm] [--haste 1] [--start 2028-02-01] [--only 1-20,35] [--every-minute] [--quick] [--record] [--in-workerd] [--seeds 1-100] [--defect NAME] | --chains 500 [--quick] [--defect NAME] | --venues 500 [--faults none|storm]'

/** What the options ask for, or what is wrong with them. It loads nothing of the Worker. */
export function parseCommand(args: readonly string[]): Command | string {
  const command = parseChains(args) ?? parseVenues(args) ?? parseRun(args)
  return typeof command === 'string' ? `${command}\n${USAGE}` : command
}

/** The seeds of `--chains 500` or `--chains 7-9`; null without this option or with others than `--quick` and `--defect`. */
function parseChains(args: readonly string[]): Command | null {
  try {
    const options = {
      chains: { type: 'string', default: '' },
      quick: { type: 'boolean' },
      defect: { type: 'string' },
    } as const
    const { chains, quick = false, defect = null } = parseArgs({ args: [...args], options }).values
    const seeds = parseSeeds(chains)
    return seeds === null ? null : { kind: 'chains', seeds, isQuick: quick, defect }
  } catch {
    return null
  }
}

/** The seeds of `--venues 500` or `--venues 7-9`, and its failures; null without this option or with others. */
function parseVenues(args: readonly string[]): Command | null {
  const [name, text = '', option = '--faults', faults = 'storm', ...more] = args
  if (name !== '--venues' || option !== '--faults' || more.length > 0) return null
  const seeds = parseSeeds(text)
  if (seeds === null || (faults !== 'none' && faults !== 'storm')) return null
  return { kind: 'venues', seeds, faults, defect: null }
}

/** `500` means 1 to 500. */
function parseSeeds(text: string): readonly number[] | null {
  return parseNumbers(/^[1-9]\d{0,5}$/.test(text) ? `1-${text}` : text)
}

/** Options that make no sense together: a recorded run is repeated by its seed, days, investors and failures alone. */
const CONFLICTS = {
  record: ['only', 'start', 'haste', 'every-minute', 'seeds', 'defect'],
  // A defect is planted in Node only.
  defect: ['in-workerd', 'seeds'],
} as const

/** The chosen settings, or what is wrong with the options. */
function parseRun(args: readonly string[]): Command | string {
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
    const length = days === undefined ? yearsAsDays(years ?? '1') : parseWhole({ days }, 'days', 1, 36_525)
    return {
      kind: 'run',
      seed: parseWhole(values, 'seed', 0, 999_999_999),
      days: length,
      investors: parseWhole(values, 'investors', 1, 10_000),
      faults,
      haste: parseWhole({ haste: values.haste ?? '1' }, 'haste', 1, 100),
      ...(startMs !== undefined && { startMs }),
      only: only === undefined ? null : parseRange('only', only),
      everyMinute: values['every-minute'],
      isQuick: values.quick,
      isRecorded: values.record,
      isInWorkerd: values['in-workerd'],
      seeds: seeds === undefined ? null : parseRange('seeds', seeds),
      defect: values.defect ?? null,
    }
  } catch (error) {
    if (error instanceof RangeError || error instanceof TypeError) return error.message
    throw error
  }
}

/** A whole number of an option. Throws a RangeError for anything else. */
function parseWhole<Name extends string>(
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

function parseRange(name: string, text: string): readonly number[] {
  const numbers = parseNumbers(text)
  if (numbers === null || numbers.length === 0)
    throw new RangeError(`--${name} is a list of numbers and ranges such as 1-20,35.`)
  return numbers
}

function isFaultLevel(text: string): text is FaultLevel {
  return Object.hasOwn(FAULT_LEVELS, text)
}

/** Numbers as ranges: `1-4,9`. */
export function formatRanges(numbers: readonly number[]): string {
  const ranges: [first: number, last: number][] = []
  for (const number of numbers) {
    const last = ranges.at(-1)
    if (last !== undefined && last[1] === number - 1) last[1] = number
    else ranges.push([number, number])
  }
  return ranges.map(([first, last]) => (first === last ? `${first}` : `${first}-${last}`)).join(',')
}

/** The numbers of ranges; null for anything else. */
function parseNumbers(ranges: string): readonly number[] | null {
  const numbers: number[] = []
  for (const range of ranges.split(',')) {
    const [, first, last = first] = /^(\d{1,7})(?:-(\d{1,7}))?$/.exec(range) ?? []
    if (first === undefined) return null
    for (let number = Number(first); number <= Number(last); number++) numbers.push(number)
  }
  return numbers
}
