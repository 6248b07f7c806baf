import { getUserInfo, type UserInfo, type UserInfoField } from '../../contract/identity/userInfo.ts'
import { listAllocations, type Position } from '../../contract/investing/allocations.ts'
import { type ExplainedFigure, getValueHistory } from '../../contract/money/statements.ts'
import { listTransactions } from '../../contract/money/transactions.ts'
import { toCents } from '../../contract/money.ts'
import { sum } from '../../contract/numbers.ts'
import { type KycState, loadKycState } from '../identity/kyc/kycState.ts'
import { call } from '../lib/api.ts'
import { buildUrl } from '../lib/request.ts'
import { getSession, updateSession } from '../lib/session.ts'

const FIELDS = [
  'profits',
  'totalBalance',
  'deposits',
  'pendingDeposits',
  'withdrawals',
  'pendingWithdrawals',
  'bonus',
  'available',
  'undone',
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

export interface OverviewFacts extends AccountSnapshot {
  /** Null once the account has had money. */
  readonly progress: Progress | null
}

/** How far a new account is. */
export interface Progress {
  /** Null if it could not be loaded. */
  readonly kyc: KycState | null
  /** The pending deposits that the investor has not paid yet, in USD. */
  readonly unpaid: number
}

/** The figures and the positions at the same prices: both again if a price changed between the two answers. */
export async function loadStanding(): Promise<OverviewFacts> {
  const token = getSession()?.token
  const first = await loadBoth()
  const standing = isOfOneMoment(first) ? first : await loadBoth()
  if (getSession()?.token === token) keepLastFigures(standing)
  return { ...standing, progress: isNew(standing.figures) ? await loadProgress(standing.figures) : null }
}

/** Keeps the figures for the page without a connection. */
function keepLastFigures({ figures, positions }: AccountSnapshot): void {
  const { totalBalance, available, profits } = figures
  updateSession({
    lastFigures: {
      ...{ atMs: Date.now(), totalBalance, available, profits },
      positions: positions.filter(({ units }) => units > 0).map(({ name, value }) => ({ name, value })),
    },
  })
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

function isNew({ totalBalance, deposits, withdrawals, bonus, profits, owed }: Figures): boolean {
  return [totalBalance, deposits, withdrawals, bonus, profits, owed].every((amount) => amount === 0)
}

const PENDING = { kind: 'deposit', status: 'pending', limit: '100' } as const

async function loadProgress({ pendingDeposits }: Figures): Promise<Progress> {
  const [kyc, deposits] = await Promise.all([
    loadKycState().catch(() => null),
    pendingDeposits === 0 ? [] : call(listTransactions, { query: PENDING, quiet: true }).catch(() => []),
  ])
  const unpaid = deposits.filter(({ awaitsPayment }) => awaitsPayment)
  return { kyc, unpaid: sum(unpaid.map(({ amount }) => toCents(amount))) / 100 }
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
