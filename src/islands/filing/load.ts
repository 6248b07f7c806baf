import { getLimits, type Limits } from '../../contract/limits.ts'
import { listWallets, type Wallet } from '../../contract/wallets.ts'
import { call } from '../lib/api.ts'
import { obstacleOf, type Queue } from './obstacle.ts'

/** The limits of a queue and, where something stands in the way, the piece that says so. */
async function withNotice(limits: Limits | null, queue: Queue) {
  const obstacle = obstacleOf(limits, queue)
  const notice = obstacle && (await import('./FilingNotice.tsx').catch(() => null))
  return { obstacle, Notice: notice?.FilingNotice }
}

/** What the deposit form depends on. Limits are null where they could not be loaded: the server refuses by itself. */
export async function loadDeposit() {
  const [wallets, limits] = await Promise.all([call(listWallets), call(getLimits).catch(() => null)])
  return { wallets, limits, ...(await withNotice(limits, 'deposits')) }
}

/** What the withdrawal form depends on. Wallets are none where they could not be loaded: the usual networks stand in. */
export async function loadWithdrawal() {
  const [wallets, limits] = await Promise.all([call(listWallets).catch((): Wallet[] => []), call(getLimits)])
  return { wallets, limits, ...(await withNotice(limits, 'withdrawals')) }
}
