import type { SentProof } from '../../http/factorProof.ts'
import { type Asked, contextOf } from '../../identity/factors/challenges.ts'
import { readProof } from '../../identity/factors/factors.ts'
import type { Destination } from './destination.ts'

/** What somebody wants to withdraw, and where to, before it is decided whether they may. */
export interface Wish {
  readonly kind: 'withdrawal' | 'online-service-withdrawal'
  readonly amountCents: number
  readonly destination: Destination
  /** What came with it to confirm it; a code without blanks and hyphens, which people copy along. */
  readonly proof: SentProof
}

/** The proof in a body. */
export function proofOf(body: { code?: string | undefined; passkey?: unknown }): Promise<SentProof> {
  return readProof({ code: body.code?.replace(/[\s-]/g, '') || undefined, passkey: body.passkey })
}

/** Whether a code or a passkey's answer came along, right or wrong. */
export function isProofGiven({ proof }: Wish): boolean {
  return proof.isPasskey || proof.code !== undefined
}

/** What a passkey is asked to confirm: just this amount to just this destination. */
export async function askedOf(userId: string, { amountCents, destination }: Wish): Promise<Asked> {
  return { userId, purpose: 'withdrawal', context: await contextOf(amountCents, destination.hash) }
}
