import { getUserInfo } from '../../contract/userInfo.ts'
import { listWallets, type Wallet } from '../../contract/wallets.ts'
import { loadStanding } from '../kyc/load.ts'
import type { Standing } from '../kyc/standing.ts'
import { call } from '../lib/api.ts'

/** What the withdrawal form depends on. */
export interface WithdrawalFacts {
  /** USD. */
  available: number
  /** None where they could not be loaded: the usual networks of each coin stand in. */
  wallets: readonly Wallet[]
  /** Null where it could not be loaded: the server refuses by itself. */
  standing: Standing | null
}

/** Loads it all at once. */
export async function loadWithdrawal(): Promise<WithdrawalFacts> {
  const [{ available = 0 }, wallets, standing] = await Promise.all([
    call(getUserInfo, { query: { fields: 'available' } }),
    call(listWallets).catch(() => []),
    loadStanding().catch(() => null),
  ])
  return { available, wallets, standing }
}
