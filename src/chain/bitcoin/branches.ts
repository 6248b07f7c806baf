import { ChainError } from '../chainError.ts'
import { parseHeader } from './header.ts'
import { type ChainState, type ExtendOptions, extendChain, hasMoreWork } from './headerChain.ts'

/** The last headers of the chain that is followed, and the state before them. Plain JSON. */
export interface RecentChain {
  base: ChainState
  /** The headers after `base` in order, hex. A reorganisation can go back as far as they reach. */
  headers: string[]
}

export interface ChainChoice {
  chain: RecentChain
  tip: ChainState
  /** Height of the last block that the chain before and the chain now share. */
  forkHeight: number
  /** Hashes of the blocks that are no longer part of the chain, in order of height. */
  removed: string[]
}

/**
 * Offers the headers of a branch. The chain with the most work wins; at equal work the chain stays, as in nodes. The first header must
 * follow `base` or one of the recent headers; headers that are in the chain already may be among them.
 */
export function pickBranch(
  chain: RecentChain,
  headers: readonly string[],
  options?: ExtendOptions,
): ChainChoice {
  const hashes = listHashes(chain)
  const tip = extendChain(chain.base, chain.headers)
  const stays = { chain, tip, forkHeight: tip.height, removed: [] }
  const [first] = headers
  if (first === undefined) return stays
  const parent = hashes.indexOf(parseHeader(first).previousHash)
  if (parent < 0) {
    throw new ChainError(
      'unknown_parent',
      'The block headers follow a block that is not among the recent ones.',
    )
  }
  const branch = { base: chain.base, headers: [...chain.headers.slice(0, parent), ...headers] }
  const branchTip = extendChain(extendChain(chain.base, branch.headers.slice(0, parent)), headers, options)
  if (!hasMoreWork(branchTip, tip)) return stays
  const firstOther = branch.headers.findIndex((header, i) => header !== chain.headers[i])
  return {
    chain: branch,
    tip: branchTip,
    forkHeight: chain.base.height + firstOther,
    removed: hashes.slice(firstOther + 1),
  }
}

/** Forgets all headers but the last `count`. */
export function takeRecent({ base, headers }: RecentChain, count: number): RecentChain {
  const forgotten = Math.max(0, headers.length - count)
  return { base: extendChain(base, headers.slice(0, forgotten)), headers: headers.slice(forgotten) }
}

/** The hashes of the chain, beginning with that of `base`. The hash at height h is at h − base.height. */
export function listHashes({ base, headers }: RecentChain): string[] {
  return [base.hash, ...headers.map((header) => parseHeader(header).hash)]
}
