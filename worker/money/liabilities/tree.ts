import { type LiabilityNode, parentNode } from '../../../src/contract/money/liabilityTree.ts'
import { hex } from '../../lib/crypto/tokens.ts'

/** The levels of the tree, from the leaves in their order up to the root node. */
export async function treeLevels(leaves: readonly LiabilityNode[]): Promise<LiabilityNode[][]> {
  const levels = [[...leaves]]
  for (let level = levels[0] ?? []; level.length > 1; ) {
    const above: LiabilityNode[] = []
    for (let at = 0; at < level.length; at += 2) {
      const [left, right] = level.slice(at, at + 2)
      if (left !== undefined) above.push(right === undefined ? left : await parentNode(left, right))
    }
    levels.push(above)
    level = above
  }
  return levels
}

/**
 * A day's salt for each investor: HMAC-SHA-256 of the id with the day's secret, so that one salt reveals nothing about
 * another.
 */
export async function saltsOf(secret: string): Promise<(investor: string) => Promise<string>> {
  const bytes = new TextEncoder()
  const key = await crypto.subtle.importKey(
    'raw',
    bytes.encode(secret),
    { name: 'HMAC', hash: 'SHA-256' },
    false,
    ['sign'],
  )
  return async (investor) =>
    hex(new Uint8Array(await crypto.subtle.sign('HMAC', key, bytes.encode(investor))))
}
