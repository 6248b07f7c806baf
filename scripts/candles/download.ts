import { createReadStream, statSync } from 'node:fs'
import { basename } from 'node:path'
import type { PriceVenue, VenuePair } from '../../engine/market/realPairs.ts'

/** One of a venue's downloads. */
export interface Download {
  readonly path: string
  readonly name: string
  readonly pair: VenuePair
  readonly bytes: number
}

const NAME = /^([A-Z0-9]+)_(\d+)\.csv$/
const DAY_MINUTES = 1440
const MOST_BYTES = 20 * 1024 * 1024

/** Checks the name and the size of a download. Throws with a sentence for the operator. */
export function openDownload(path: string, venue: PriceVenue): Download {
  const name = basename(path)
  const found = statSync(path, { throwIfNoEntry: false })
  if (found === undefined) throw new Error(`${path} does not exist.`)
  if (!found.isFile()) throw new Error(`${path} is not a file: name the CSV files themselves.`)
  const [, pairName = '', minutes = ''] = NAME.exec(name) ?? []
  if (pairName === '')
    throw new Error(
      `${path} is not named like the daily files of ${venue.name}, for example ${venue.pairs[0]?.pair}_1440.csv.`,
    )
  if (Number(minutes) !== DAY_MINUTES)
    throw new Error(`${path} has bars of ${minutes} minutes: only daily files are imported, PAIR_1440.csv.`)
  const pair = requireVenuePair(venue, pairName)
  if (found.size === 0) throw new Error(`${path} is empty.`)
  if (found.size > MOST_BYTES)
    throw new Error(`${path} is larger than 20 MB, so it is no file of daily bars.`)
  return { path, name, pair, bytes: found.size }
}

/** A pair by the venue's name. Throws for a pair that we have no prices of. */
export function requireVenuePair({ pairs }: PriceVenue, name: string): VenuePair {
  const pair = pairs.find((candidate) => candidate.pair === name)
  if (pair !== undefined) return pair
  const known = pairs.map((candidate) => candidate.pair).join(', ')
  throw new Error(`${name} is not a pair that we have prices of: ${known}.`)
}

/** Reads a download. `onRead` is told the share that was read, from 0 to 1, piece by piece. */
export async function readDownload(
  { path, bytes }: Download,
  onRead: (share: number) => void,
): Promise<Uint8Array> {
  const pieces: Uint8Array[] = []
  let length = 0
  for await (const piece of createReadStream(path) as AsyncIterable<Uint8Array>) {
    pieces.push(piece)
    length += piece.length
    onRead(Math.min(1, length / bytes))
  }
  return Buffer.concat(pieces)
}

/** The cells of a download's lines. */
export function parseDownload(download: Uint8Array): string[][] {
  const lines = new TextDecoder().decode(download).split(/\r?\n/)
  if (lines.at(-1) === '') lines.pop()
  return lines.map((line) => line.split(','))
}
