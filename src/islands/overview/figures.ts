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

/** Amounts in USD. */
export type Figures = Pick<UserInfo, (typeof FIELDS)[number]>

export async function loadFigures(): Promise<Figures> {
  // The answer has exactly the requested fields, which the schema cannot express.
  return (await call(getUserInfo, { query: { fields: FIELDS.join(' ') } })) as Figures
}

export type Explained = ExplainedFigure | 'totalBalance' | 'pendingDeposits'

export const FIGURE_TITLES: Record<Explained, string> = {
  totalBalance: 'Total Balance',
  deposits: 'Total Deposits',
  pendingDeposits: 'Pending Deposits',
  withdrawals: 'Total Withdrawals',
  pendingWithdrawals: 'Pending Withdrawals',
  bonus: 'Bonus',
}
