import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseCandles } from '../../engine/market/candlesCsv.ts'
import { PRICE_VENUES } from '../../engine/market/realPairs.ts'
import { toBars } from '../../worker/investing/candles/columns.ts'
import { getDoubtfulFileName } from './doubtfulFile.ts'
import {
  computeFacts,
  type Facts,
  getFileName,
  hashSha256,
  LIST,
  listText,
  type PriceFile,
  readList,
} from './list.ts'
import { ASIDE, readDoubtful } from './store.ts'

/** What differs between the files of a folder and its `files.json`, one sentence each. */
export function findDifferences(directory: string): string[] {
  if (!existsSync(join(directory, LIST))) return [`${LIST} is missing.`]
  const list = readList(directory)
  const known = new Set(list.files.flatMap(({ pair }) => [getFileName(pair), getDoubtfulFileName(pair)]))
  const names = readdirSync(directory)
  return [
    ...(listText(list) === readFileSync(join(directory, LIST), 'utf8')
      ? []
      : [`${LIST} is not formatted as this command writes it.`]),
    ...list.files.flatMap((entry) => checkPriceFile(directory, entry)),
    ...names
      .filter((name) => name.endsWith('.csv') && !known.has(name))
      .map((name) => `${name} is not in ${LIST}.`),
    ...names
      .filter((name) => name.endsWith(ASIDE))
      .map((name) => `${name} was left by an interrupted run: run it again.`),
  ]
}

function checkPriceFile(directory: string, entry: PriceFile): string[] {
  const { asset, pair, file } = entry
  const path = join(directory, file)
  if (
    PRICE_VENUES.flatMap(({ pairs }) => pairs).find((known) => known.pair === pair)?.asset !== asset ||
    file !== getFileName(pair)
  )
    return [`${LIST} names ${file} of ${pair} and ${asset}, which do not belong together.`]
  if (!existsSync(path)) return [`${file} is missing.`]
  const bytes = readFileSync(path)
  const sha256 = hashSha256(bytes)
  if (sha256 !== entry.sha256) return [`${file} has the hash ${sha256}, ${LIST} says ${entry.sha256}.`]
  try {
    readDoubtful(directory, pair)
    const facts = computeFacts(toBars(parseCandles(bytes.toString())))
    return (Object.keys(facts) as (keyof Facts)[])
      .filter((name) => String(facts[name]) !== String(entry[name]))
      .map((name) => `${file}: ${name} is ${facts[name]}, ${LIST} says ${entry[name]}.`)
  } catch (error) {
    return [`${file}: ${error instanceof Error ? error.message : error}`]
  }
}
