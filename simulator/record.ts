import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Outcome, RunOptions } from './run.ts'

/** One recorded run: how to repeat it, and how it ended. All kept every rule. */
export interface RecordedRun {
  /** YYYY-MM-DD of the day on which it ran. */
  readonly on: string
  readonly seed: number
  readonly days: number
  readonly investors: number
  readonly faults: string
  readonly requests: number
  readonly decisions: number
  /** How many failures were injected. */
  readonly failures: number
  /** How many times a rule was checked. */
  readonly checks: number
  /** SHA-256 of all that moved money. It changes with the software. */
  readonly ledger: string
}

const FILE = join(import.meta.dirname, '../data/simulations.json')

/** The recorded runs, the longest first. */
function recordedRuns(): readonly RecordedRun[] {
  return JSON.parse(readFileSync(FILE, 'utf8')) as readonly RecordedRun[]
}

/** Adds a run to the recorded ones, in place of an earlier one with the same options. Refuses a run that broke a rule. */
export function recordRun(
  { seed, days, investors, faults }: RunOptions,
  { requests, decisions, checks, ledger, failure, ...outcome }: Outcome,
  on: string,
): void {
  if (failure !== null) throw new Error('A run that broke a rule is not recorded.')
  const failures = [...outcome.faults.values()].reduce((sum, each) => sum + each, 0)
  const options = { seed, days, investors, faults }
  const run = { on, ...options, requests, decisions, failures, checks, ledger }
  const others = recordedRuns().filter((each) =>
    Object.entries(options).some(([name, value]) => each[name as keyof typeof options] !== value),
  )
  const runs = [...others, run].toSorted((a, b) => b.days - a.days || a.seed - b.seed)
  writeFileSync(FILE, `${JSON.stringify(runs, null, 2)}\n`)
}
