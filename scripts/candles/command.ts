import { existsSync, readdirSync } from 'node:fs'
import { parseArgs } from 'node:util'
import { PRICE_VENUES } from '../../engine/market/realPairs.ts'
import { findDifferences } from './check.ts'
import type { Context } from './context.ts'
import { requireVenuePair } from './download.ts'
import { fetchPairs } from './fetch.ts'
import { importDownloads } from './import.ts'
import { readList } from './list.ts'
import type { Decisions } from './merge.ts'
import { applyInterrupted } from './store.ts'

const USAGE = `npm run candles -- import kraken FILE…   merges Kraken’s daily downloads (XBTUSD_1440.csv) into data/kraken
npm run candles -- import binance FILE…  the same for Binance’s (BTCUSDT_1440.csv) and data/binance, which continues data/kraken
npm run candles -- fetch [PAIR…]         continues the files from Kraken’s public API: all, or these pairs
npm run candles -- check                 compares the files with files.json

  --accept-revisions 2024-01-03,2024-01-04   replaces the stored bars of these days; for one file or pair at a time
  --confirm-jumps 2025-03-02 --second-source "Coinbase ADA-USD"   keeps bars of these days that jumped and returned, if their
                                             volume was ordinary; for one file or pair at a time`

/** Runs the command with these arguments. Returns whether everything went well; throws with a sentence for the operator. */
export async function runCandles(args: readonly string[], context: Context): Promise<boolean> {
  const { values: options, positionals } = parseArgs({
    args: [...args],
    allowPositionals: true,
    options: {
      'accept-revisions': { type: 'string', multiple: true },
      'confirm-jumps': { type: 'string', multiple: true },
      'second-source': { type: 'string' },
    },
  })
  const [verb, ...rest] = positionals
  const decisions = parseDecisions(options)
  const isDeciding = decisions.acceptedRevisions.size + decisions.confirmedJumps.size > 0
  if (verb === undefined && !isDeciding) {
    context.print(USAGE)
    return true
  }
  if (verb === 'import') {
    const [id, ...paths] = rest
    const venue = PRICE_VENUES.find((candidate) => candidate.id === id)
    if (venue === undefined || paths.length === 0)
      throw new Error(`Name the files: npm run candles -- import kraken FILE…`)
    refuseSeveral(isDeciding, paths)
    for (const directory of listFolders(context)) applyInterrupted(directory)
    return importDownloads(context, venue, paths, decisions)
  }
  if (verb === 'fetch') {
    const pairs =
      rest.length > 0
        ? [...new Set(rest)].map((name) => requireVenuePair(PRICE_VENUES[0], name))
        : listStoredPairs(context.directory)
    refuseSeveral(isDeciding, pairs)
    applyInterrupted(context.directory)
    return fetchPairs(context, pairs, decisions)
  }
  if (verb === 'check' && rest.length === 0 && !isDeciding) return check(context)
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

function check(context: Context): boolean {
  const folders = listFolders(context)
  const differences = folders.flatMap(findDifferences)
  const files = () => folders.reduce((count, folder) => count + readList(folder).files.length, 0)
  context.print(
    differences.length > 0 ? differences.join('\n') : `Every price file matches files.json: ${files()}.`,
  )
  return differences.length === 0
}

/** The folder of the first venue, and that of the next if there are prices in it. */
function listFolders({ directory, continuation }: Context): string[] {
  return existsSync(continuation) && readdirSync(continuation).length > 0
    ? [directory, continuation]
    : [directory]
}

function listStoredPairs(directory: string) {
  const stored = new Set(readList(directory).files.map(({ pair }) => pair))
  return PRICE_VENUES[0].pairs.filter(({ pair }) => stored.has(pair))
}

function parseDecisions(options: {
  readonly 'accept-revisions'?: readonly string[] | undefined
  readonly 'confirm-jumps'?: readonly string[] | undefined
  readonly 'second-source'?: string | undefined
}): Decisions {
  const secondSource = options['second-source']?.trim() ?? ''
  const confirmed = parseDays('--confirm-jumps', options['confirm-jumps'])
  if (confirmed.length > 0 !== secondSource.length > 0)
    throw new Error(
      '--confirm-jumps and --second-source go together: name the source that has these prices too.',
    )
  return {
    acceptedRevisions: new Set(parseDays('--accept-revisions', options['accept-revisions'])),
    confirmedJumps: new Map(confirmed.map((day) => [day, secondSource])),
  }
}

function parseDays(option: string, lists: readonly string[] = []): string[] {
  const days = lists.flatMap((list) => list.split(',')).map((day) => day.trim())
  for (const day of days) {
    if (!/^\d{4}-\d{2}-\d{2}$/.test(day) || !isDate(day))
      throw new Error(`${option} takes days like 2024-01-03,2024-01-04, not "${day}".`)
  }
  return days
}

// Date.parse reads February 30 as March 1.
function isDate(day: string): boolean {
  const ms = Date.parse(day)
  return !Number.isNaN(ms) && new Date(ms).toISOString().startsWith(day)
}

function refuseSeveral(isDeciding: boolean, targets: readonly unknown[]): void {
  if (isDeciding && targets.length !== 1)
    throw new Error(
      '--accept-revisions and --confirm-jumps take one file or pair at a time, since their days mean that one alone.',
    )
}
