import { toHex } from '../../../src/contract/bytes.ts'
import { buildParentNode, type LiabilityNode } from '../../../src/contract/money/liabilityTree.ts'

/** The parents of a level's nodes, or of an even number of them from an even place on. The last one of an odd number has no sibling. */
export async function buildParentNodes(nodes: readonly LiabilityNode[]): Promise<LiabilityNode[]> {
  const above: LiabilityNode[] = []
  for (let at = 0; at < nodes.length; at += 2) {
    const [left, right] = nodes.slice(at, at + 2)
    if (left !== undefined) above.push(right === undefined ? left : await buildParentNode(left, right))
  }
  return above
}

/**
 * A day's salt for each investor: HMAC-SHA-256 of the id with the day's secret, so that one salt gives no information about
 * another.
 */
export async function createSaltDeriver(secret: string): Promise<(investor: string) => Promise<string>> {
  const bytes = new TextEncoder()
  const key = await crypto.subtle.importKey(
    'raw',
    bytes.encode(secret),
    { name: 'HMAC', hash: 'SHA-256' },
    false,
    ['sign'],
  )
  return async (investor) =>
    toHex(new Uint8Array(await crypto.subtle.sign('HMAC', key, bytes.encode(investor))))
}
