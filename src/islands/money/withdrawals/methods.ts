export const METHODS = [
  { value: 'crypto', label: 'Crypto' },
  { value: 'bank', label: 'Online Service Withdrawal' },
] as const

/** Names of the drafts, by method. */
export const DRAFTS = { crypto: 'withdrawal', bank: 'bank-withdrawal' } as const
