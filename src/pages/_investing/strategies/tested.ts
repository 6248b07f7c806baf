import { type CollectionEntry, getEntry } from 'astro:content'
import type { Backtest } from '../../../../engine/backtestResult.ts'
import { CATALOGUE, type Offered } from '../../../../engine/catalogue.ts'
import { type CandleFile, candleFile } from '../candles/candleFile.ts'
import { backtestOf } from './backtestOf.ts'
import { fill } from './words.ts'

export interface Tested {
  readonly offered: Offered
  readonly words: CollectionEntry<'strategies'>['data']
  readonly backtest: Backtest
  /** The prices that it was computed from, in the order of its assets. */
  readonly candles: readonly CandleFile[]
}

/** All strategies, worst drawdown first. */
export async function allTested(): Promise<Tested[]> {
  const all = await Promise.all(CATALOGUE.map(({ slug }) => testedOf(slug)))
  const depth = ({ backtest: { worstFalls } }: Tested) => worstFalls[0]?.depth ?? 0
  return all.sort((one, other) => depth(one) - depth(other))
}

/** @throws if the catalogue or src/content/strategies has no such strategy */
export async function testedOf(slug: string): Promise<Tested> {
  const offered = CATALOGUE.find((each) => each.slug === slug)
  const entry = await getEntry('strategies', slug)
  if (offered === undefined || entry === undefined) throw new Error(`There is no strategy ${slug}.`)
  const { definition } = offered
  const filled = (text: string) => fill(text, definition)
  const { summary, loses, rules, holds, notFor } = entry.data
  return {
    offered,
    words: {
      summary: filled(summary),
      loses: filled(loses),
      rules: rules.map(filled),
      holds: filled(holds),
      notFor: filled(notFor),
    },
    backtest: backtestOf(offered),
    candles: definition.assets.map(fileOf),
  }
}

/** A cache for the whole build. */
const files = new Map<string, CandleFile>()

function fileOf(asset: string): CandleFile {
  const file = files.get(asset) ?? candleFile(asset)
  files.set(asset, file)
  return file
}
