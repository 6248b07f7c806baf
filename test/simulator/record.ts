import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { FAULTS } from './lane/faults.ts'
import type { Outcome, RunOptions } from './run.ts'

/** One recorded run: how to repeat it, and how it ended. All kept every rule. `/simulation` shows the longest. */
export interface RecordedRun {
  /** YYYY-MM-DD of the day on which it ran. */
  readonly on: string
  readonly seed: number
  readonly days: number
  readonly investors: number
  readonly faults: string
  readonly requests: number
  readonly decisions: number
  /** The failures that were injected, by kind, the most frequent first. */
  readonly failures: readonly { readonly what: string; readonly times: number }[]
  /** How many times a rule was checked. */
  readonly checks: number
  /** The command that repeats it. */
  readonly command: string
  /** SHA-256 of all that moved money. It changes with the software. */
  readonly ledger: string
}

const FILE = join(import.meta.dirname, '../../data/simulations.json')

/** The recorded runs, the longest first. */
function recordedRuns(): readonly RecordedRun[] {
  return JSON.parse(readFileSync(FILE, 'utf8')) as readonly RecordedRun[]
}

/** Adds a run to the recorded ones, in place of an earlier one with the same options. Refuses a run that broke a rule. */
export function recordRun(
  { seed, days, investors, faults }: RunOptions,
  { requests, decisions, checks, ledger, failure, ...outcome }: Outcome,
  { on, command }: Pick<RecordedRun, 'on' | 'command'>,
): void {
  if (failure !== null) throw new Error('A run that broke a rule is not recorded.')
  const failures = [...outcome.faults]
    .map(([fault, times]) => ({ what: FAULTS[fault], times }))
    .toSorted((a, b) => b.times - a.times)
  const options = { seed, days, investors, faults }
  const run = { on, ...options, requests, decisions, failures, checks, command, ledger }
  const others = recordedRuns().filter((each) =>
    Object.entries(options).some(([name, value]) => each[name as keyof typeof options] !== value),
  )
  const runs = [...others, run].toSorted((a, b) => b.days - a.days || a.seed - b.seed)
  writeFileSync(FILE, `${JSON.stringify(runs, null, 2)}\n`)
}
