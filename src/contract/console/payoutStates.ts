/**
 * built: unsigned. released: signed and sent. confirmed: deep enough in its chain, and its withdrawals are completed. failed: Ethereum
 * mined the transaction, but it made no payment. replaced: another transaction took its coins or its nonce, so it is never mined.
 */
export const PAYOUT_STATES = ['built', 'released', 'confirmed', 'cancelled', 'failed', 'replaced'] as const
export type PayoutState = (typeof PAYOUT_STATES)[number]
