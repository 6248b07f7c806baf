/**
 * built: unsigned. released: signed and sent. confirmed: deep enough in its chain, and its withdrawals are completed. failed: Ethereum
 * mined the transaction, and it paid nothing.
 */
export const PAYOUT_STATES = ['built', 'released', 'confirmed', 'cancelled', 'failed'] as const
export type PayoutState = (typeof PAYOUT_STATES)[number]
