/** How money can be withdrawn, as the specification names it. */
export const METHODS = [
  { value: 'crypto', label: 'Crypto' },
  { value: 'bank', label: 'Online Service Withdrawal' },
] as const
