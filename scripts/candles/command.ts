import { parseArgs } from 'node:util'
import { REAL_PAIRS } from '../../engine/market/realPairs.ts'
import { findDifferences } from './check.ts'
import type { Context } from './context.ts'
import { requireRealPair } from './download.ts'
import { fetchPairs } from './fetch.ts'
import { importDownloads } from './import.ts'
import { readList } from './list.ts'
import { applyInterrupted } from './store.ts'

const USAGE = `npm run candles -- import kraken FILE…   merges Kraken’s daily downloads (XBTUSD_1440.csv) into data/kraken
npm run candles -- fetch [PAIR…]         continues the files from Kraken’s public API: all, or these pairs
npm run candles -- check                 compares the files with files.json

  --accept-revisions 2024-01-03,2024-01-04   replaces the stored bars of these days; for one file or pair at a time`

/** Runs the command with these arguments. Returns whether everything went well; throws with a sentence for the operator. */
export async function runCandles(args: readonly string[], context: Context): Promise<boolean> {
  const { values: options, positionals } = parseArgs({
    args: [...args],
    allowPositionals: true,
    options: { 'accept-revisions': { type: 'string', multiple: true } },
  })
  const [verb, ...rest] = positionals
  const accepted = parseAcceptedDays(options['accept-revisions'])
  const isAccepting = accepted.size > 0
  if (verb === undefined && !isAccepting) {
    context.print(USAGE)
    return true
  }
  if (verb === 'import') {
    const [venue, ...paths] = rest
    if (venue !== 'kraken' || paths.length === 0)
      throw new Error(`Name the files: npm run candles -- import kraken FILE…`)
    refuseSeveral(isAccepting, paths)
    applyInterrupted(context.directory)
    return importDownloads(context, paths, accepted)
  }
  if (verb === 'fetch') {
    const pairs =
      rest.length > 0 ? [...new Set(rest)].map(requireRealPair) : listStoredPairs(context.directory)
    refuseSeveral(isAccepting, pairs)
    applyInterrupted(context.directory)
    return fetchPairs(context, pairs, accepted)
  }
  if (verb === 'check' && rest.length === 0 && !isAccepting) return check(context)
  throw new Error(`There is no such command.\n\n${USAGE}`)
}

/** The address of Kraken's API: `CANDLES_BASE_URL`, or Kraken's own. Throws if it is neither https nor this machine. */
export function parseBaseUrl(setting: string | undefined): string {
  const base = (setting ?? '').trim().replace(/\/+$/, '')
  if (base === '') return 'https://api.kraken.com/0'
  const url = URL.canParse(base) ? new URL(base) : null
  const isLocal = url?.protocol === 'http:' && ['localhost', '127.0.0.1', '[::1]'].includes(url.hostname)
  if (url?.protocol === 'https:' || isLocal) return base
  throw new Error('CANDLES_BASE_URL is no https address.')
}

function check({ directory, print }: Context): boolean {
  const differences = findDifferences(directory)
  print(
    differences.length > 0
      ? differences.join('\n')
      : `Every price file matches files.json: ${readList(directory).files.length}.`,
  )
  return differences.length === 0
}

function listStoredPairs(directory: string) {
  const stored = new Set(readList(directory).files.map(({ pair }) => pair))
  return REAL_PAIRS.filter(({ pair }) => stored.has(pair))
}

function parseAcceptedDays(lists: readonly string[] = []): ReadonlySet<string> {
  const days = lists.flatMap((list) => list.split(',')).map((day) => day.trim())
  for (const day of days) {
    if (!/^\d{4}-\d{2}-\d{2}$/.test(day) || !isDate(day))
      throw new Error(`--accept-revisions takes days like 2024-01-03,2024-01-04, not "${day}".`)
  }
  return new Set(days)
}

// Date.parse reads February 30 as March 1.
function isDate(day: string): boolean {
  const ms = Date.parse(day)
  return !Number.isNaN(ms) && new Date(ms).toISOString().startsWith(day)
}

function refuseSeveral(isAccepting: boolean, targets: readonly unknown[]): void {
  if (isAccepting && targets.length !== 1)
    throw new Error(
      '--accept-revisions takes one file or pair at a time, since its days mean that one alone.',
    )
}
