import type { ExplainedFigure } from '../../contract/money/statements.ts'

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
