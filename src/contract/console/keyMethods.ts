/** How a reviewer unlocks their key: a passphrase, or a passkey. */
export const KEY_METHODS = ['passphrase', 'passkey'] as const
