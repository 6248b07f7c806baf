/** How money can be withdrawn, as the specification names it. */
export const METHODS = [
  { value: 'crypto', label: 'Crypto' },
  { value: 'bank', label: 'Online Service Withdrawal' },
] as const

/** Under which names what was typed is kept, by method. */
export const DRAFTS = { crypto: 'withdrawal', bank: 'bank-withdrawal' } as const
