import type { Destination } from './destination.ts'

/** What somebody wants to withdraw, and where to, before it is decided whether they may. */
export interface Wish {
  readonly kind: 'withdrawal' | 'online-service-withdrawal'
  readonly amountCents: number
  readonly destination: Destination
  /** The code that came with it, without blanks and hyphens. */
  readonly code: string | null
}

/** A code as it is compared: people copy blanks and hyphens along. */
export function codeOf(typed: string | undefined): string | null {
  return typed?.replace(/[\s-]/g, '') || null
}
