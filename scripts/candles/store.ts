import {
  closeSync,
  existsSync,
  fsyncSync,
  openSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { parseCandles, writeCandles } from '../../engine/market/candlesCsv.ts'
import { PRICE_VENUES } from '../../engine/market/realPairs.ts'
import { toBars, toCandles } from '../../worker/investing/candles/columns.ts'
import type { Bar } from '../../worker/investing/candles/parse.ts'
import { formatDoubtfulLines, getDoubtfulFileName, parseDoubtful } from './doubtfulFile.ts'
import { getFileName, hashSha256, LIST, listText, type PriceFile, parseList, readList } from './list.ts'
import type { Prices } from './merge.ts'
import type { Doubt, DoubtfulLine } from './rows.ts'

/** Ends the name of a file that is written aside, until it is renamed. */
export const ASIDE = '.new'
const JUMPS: readonly Doubt[] = ['unconfirmed jump', 'spike']

/** A pair's prices. Throws if its file is not the one that `files.json` describes. */
export function readPrices(directory: string, pair: string): Prices {
  const entry = readList(directory).files.find((file) => file.pair === pair)
  const path = join(directory, getFileName(pair))
  const text = readText(path)
  if ((text === null ? undefined : hashSha256(text)) !== entry?.sha256)
    throw new Error(`${path} is not as ${LIST} describes it: run "npm run candles -- check".`)
  const lines = readDoubtful(directory, pair)
  const isJump = ({ reason }: DoubtfulLine) => JUMPS.includes(reason)
  return {
    bars: text === null ? [] : toBars(parseCandles(text)),
    pending: lines.filter(isJump).map(toBar),
    doubtful: lines.filter((line) => !isJump(line)),
  }
}

/** The lines of a pair that are kept apart. Throws if the file is damaged. */
export function readDoubtful(directory: string, pair: string): DoubtfulLine[] {
  const path = join(directory, getDoubtfulFileName(pair))
  const text = readText(path)
  try {
    return text === null ? [] : parseDoubtful(text)
  } catch (error) {
    throw new Error(`${path} is damaged: ${error instanceof Error ? error.message : error}.`)
  }
}

/**
 * Writes a pair's prices, its doubtful lines and `files.json`. Everything is written aside first and then renamed, the
 * prices before `files.json`, so that `applyInterrupted` can complete or undo an interrupted run. Returns whether
 * anything changed.
 */
export function writePrices(
  directory: string,
  bars: readonly Bar[],
  keptApart: readonly DoubtfulLine[],
  entry: PriceFile,
): boolean {
  const { pair } = entry
  const venue = PRICE_VENUES.find(({ pairs }) => pairs.some((known) => known.pair === pair))
  const list = readList(directory, venue)
  const order = venue?.pairs.map((known) => known.pair) ?? []
  const files = [...list.files.filter((file) => file.pair !== pair), entry]
  files.sort((a, b) => order.indexOf(a.pair) - order.indexOf(b.pair))
  const changed = [
    { name: getFileName(pair), text: writeCandles(toCandles(bars)) },
    { name: getDoubtfulFileName(pair), text: keptApart.length === 0 ? null : formatDoubtfulLines(keptApart) },
    { name: LIST, text: listText({ ...list, files }) },
  ].filter(({ name, text }) => text !== readText(join(directory, name)))
  for (const { name, text } of changed) if (text !== null) writeSafely(join(directory, name + ASIDE), text)
  for (const { name, text } of changed) {
    const path = join(directory, name)
    if (text === null) rmSync(path)
    else renameSync(path + ASIDE, path)
  }
  return changed.length > 0
}

/**
 * Completes an interrupted `writePrices` if it had begun to rename. Otherwise removes the files written aside.
 * Then the interrupted command can simply be run again.
 */
export function applyInterrupted(directory: string): void {
  const aside = readdirSync(directory).filter((name) => name.endsWith(ASIDE))
  const list = parseList(readText(join(directory, LIST + ASIDE)) ?? '')
  const hasBegun = list?.files.every(({ file, sha256 }) => {
    const text = readText(join(directory, file))
    return text !== null && hashSha256(text) === sha256
  })
  // In this order `files.json` comes last: the names of pairs have capital letters.
  for (const name of aside.sort()) {
    const path = join(directory, name)
    if (hasBegun) renameSync(path, path.slice(0, -ASIDE.length))
    else rmSync(path)
  }
}

function toBar({ cells: [day = '', ...figures] }: DoubtfulLine): Bar {
  const [open = NaN, high = NaN, low = NaN, close = NaN, volume = NaN] = figures.map(Number)
  return { day: Date.parse(day), open, high, low, close, volume }
}

function readText(path: string): string | null {
  return existsSync(path) ? readFileSync(path, 'utf8') : null
}

function writeSafely(path: string, text: string): void {
  const file = openSync(path, 'w')
  try {
    writeFileSync(file, text)
    fsyncSync(file)
  } finally {
    closeSync(file)
  }
}
