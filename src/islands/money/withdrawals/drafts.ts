/** Under which names what was typed is kept, by method. */
export const DRAFTS = { crypto: 'withdrawal', bank: 'bank-withdrawal' } as const
