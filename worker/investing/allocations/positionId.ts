import { sha256Hex } from '../../lib/crypto/tokens.ts'

/**
 * A position's id: the strategy's slug, and what tells one investor's from another's. It keeps nothing secret: whoever asks is
 * only ever told of their own.
 */
export async function positionId(investor: string, strategy: string): Promise<string> {
  return `${strategy}.${(await sha256Hex(`position\n${investor}\n${strategy}`)).slice(0, 20)}`
}

/** The strategy of somebody's own position id; null for anything else. */
export async function strategyOfId(investor: string, id: string): Promise<string | null> {
  const [, strategy] = /^([a-z0-9-]{1,60})\.[0-9a-f]{20}$/.exec(id) ?? []
  return strategy !== undefined && id === (await positionId(investor, strategy)) ? strategy : null
}
