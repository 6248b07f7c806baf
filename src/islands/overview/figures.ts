import { getUserInfo, type UserInfo, type UserInfoField } from '../../contract/identity/userInfo.ts'
import { listAllocations, type Position } from '../../contract/investing/allocations.ts'
import { type ExplainedFigure, getValueHistory } from '../../contract/money/statements.ts'
import { toCents } from '../../contract/money.ts'
import { sum } from '../../contract/numbers.ts'
import { call } from '../lib/api.ts'
import { buildUrl } from '../lib/request.ts'

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

const FIGURES = { query: { fields: FIELDS.join(' ') } }
/** The chart shows the last days of this year. */
export const COURSE = { query: { days: '365' } } as const

/** The addresses of the calls that the overview makes first. */
export const OVERVIEW_CALLS = [
  buildUrl(getUserInfo, FIGURES),
  buildUrl(listAllocations),
  buildUrl(getValueHistory, COURSE),
]

/** Amounts in USD. */
export type Figures = Pick<UserInfo, (typeof FIELDS)[number]>

export interface AccountSnapshot {
  readonly figures: Figures
  readonly positions: readonly Position[]
}

/** The figures and the positions at the same prices: both again if a price changed between the two answers. */
export async function loadStanding(): Promise<AccountSnapshot> {
  const standing = await loadBoth()
  return isOfOneMoment(standing) ? standing : loadBoth()
}

async function loadBoth(): Promise<AccountSnapshot> {
  const [figures, positions] = await Promise.all([loadFigures(), call(listAllocations)])
  return { figures, positions }
}

function isOfOneMoment({ figures, positions }: AccountSnapshot): boolean {
  const worth = sum(positions.map(({ value }) => toCents(value)))
  return worth === Math.round((figures.invested + figures.unrealised) * 100)
}

async function loadFigures(): Promise<Figures> {
  // The answer has exactly the requested fields, which the schema cannot express.
  return (await call(getUserInfo, FIGURES)) as Figures
}

export type TileFigure = ExplainedFigure | 'totalBalance' | 'pendingDeposits'

export const FIGURE_TITLES: Record<TileFigure, string> = {
  totalBalance: 'Total Balance',
  deposits: 'Total Deposits',
  pendingDeposits: 'Pending Deposits',
  withdrawals: 'Total Withdrawals',
  pendingWithdrawals: 'Pending Withdrawals',
  bonus: 'Bonus',
}
