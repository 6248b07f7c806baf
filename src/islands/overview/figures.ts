import { getUserInfo, type UserInfo, type UserInfoField } from '../../contract/identity/profile.ts'
import type { ExplainedFigure } from '../../contract/money/statements.ts'
import { call } from '../lib/api.ts'

const FIELDS = [
  'profits',
  'totalBalance',
  'deposits',
  'pendingDeposits',
  'withdrawals',
  'pendingWithdrawals',
  'bonus',
  'available',
  'allocating',
  'invested',
  'unrealised',
  'owed',
  'notification',
] as const satisfies readonly UserInfoField[]

/** The figures of the overview, in USD, and what an operator lets its owner know. */
export type Figures = Pick<UserInfo, (typeof FIELDS)[number]>

/** Loads them all in one call. */
export async function loadFigures(): Promise<Figures> {
  // Exactly the fields asked for are answered, which the schema, where each is optional, cannot say.
  return (await call(getUserInfo, { query: { fields: FIELDS.join(' ') } })) as Figures
}

/** The figures of the overview that open how they come about. */
export type Explained = ExplainedFigure | 'totalBalance' | 'pendingDeposits'

export const FIGURE_TITLES: Record<Explained, string> = {
  totalBalance: 'Total Balance',
  deposits: 'Total Deposits',
  pendingDeposits: 'Pending Deposits',
  withdrawals: 'Total Withdrawals',
  pendingWithdrawals: 'Pending Withdrawals',
  bonus: 'Bonus',
}
