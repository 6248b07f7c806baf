import type { VenuePair } from '../../engine/market/realPairs.ts'
import {
  type AcceptedRevision,
  type ConfirmedJump,
  computeFacts,
  getFileName,
  readList,
  type Source,
} from './list.ts'
import { type Decisions, type Merge, merge } from './merge.ts'
import { type ReceivedRows, toIsoDay } from './rows.ts'
import { readPrices, writePrices } from './store.ts'

/** What an import or a fetch did to a pair's file. */
export interface AppliedMerge {
  readonly merged: Merge
  readonly isChanged: boolean
}

/**
 * Merges received rows into a pair's file and its entry of `files.json`. If it revises a day that is not accepted,
 * no file changes.
 *
 * @param sourcesWith returns the sources with the new one; it gets the days that were added
 */
export function apply(
  directory: string,
  pair: VenuePair,
  received: ReceivedRows,
  decisions: Decisions,
  nowMs: number,
  sourcesWith: (before: readonly Source[], addedDays: readonly number[]) => readonly Source[],
): AppliedMerge {
  const entry = readList(directory).files.find((file) => file.pair === pair.pair)
  const confirmedJumps = new Map([
    ...(entry?.confirmedJumps ?? []).map((jump) => [jump.day, jump.secondSource] as const),
    ...decisions.confirmedJumps,
  ])
  const merged = merge(readPrices(directory, pair.pair), received, { ...decisions, confirmedJumps })
  if ('refused' in merged) return { merged, isChanged: false }
  const revised = merged.revised.map(
    ({ stored, received: { close } }): AcceptedRevision => ({
      day: toIsoDay(stored.day),
      oldClose: stored.close,
      newClose: close,
      importedOn: toIsoDay(nowMs),
    }),
  )
  const revisions = [...(entry?.revisions ?? []), ...revised]
  const isChanged = writePrices(directory, merged.prices.bars, merged.keptApart, {
    asset: pair.asset,
    pair: pair.pair,
    file: getFileName(pair.pair),
    ...computeFacts(merged.prices.bars),
    sources: [
      ...sourcesWith(
        entry?.sources ?? [],
        merged.added.map(({ day }) => day),
      ),
    ],
    ...(revisions.length > 0 && { revisions }),
    ...(confirmedJumps.size > 0 && { confirmedJumps: sortJumps(confirmedJumps) }),
  })
  return { merged, isChanged }
}

function sortJumps(jumps: Decisions['confirmedJumps']): ConfirmedJump[] {
  return [...jumps].sort(([a], [b]) => (a < b ? -1 : 1)).map(([day, secondSource]) => ({ day, secondSource }))
}
