import type { WatchSigner, WatchWallet } from '../../../contract/console/watchWallets.ts'
import { isProvedNetwork, type ProvedNetwork } from '../../../contract/money/payments.ts'
import { formatNumber } from '../../../contract/numbers.ts'
import type { StatusProps } from '../../../design/Status.tsx'
import { METHOD_LABELS } from './words.ts'

const NETWORK_SHORT: Record<ProvedNetwork, string> = {
  btc: 'bitcoin',
  eth: 'ether',
  'usdt-erc20': 'USDT (ERC-20)',
  'usdc-erc20': 'USDC (ERC-20)',
}

/** The coins that the wallet receives: "ether, USDT (ERC-20) and USDC (ERC-20)". */
export function describeWatchedCoins({ networks }: Pick<WatchWallet, 'networks'>): string {
  const coins = networks.filter(isProvedNetwork).map((network) => NETWORK_SHORT[network])
  return new Intl.ListFormat('en-GB').format(coins)
}

export function watchStatus({ active, isObserved, servers, holders, ...gap }: WatchFacts): StatusProps {
  if (!active) return { status: 'retired', label: 'Retired' }
  if (!isObserved) return { status: 'frozen', label: 'No servers' }
  if (servers.some(({ fault }) => fault !== null)) return { status: 'rejected', label: 'Server faulty' }
  if (holders.some((holder) => holder?.canSign === false))
    return { status: 'rejected', label: 'Key needs another person' }
  if (isNearGap(gap)) return { status: 'pending', label: 'Near its gap limit' }
  return { status: 'active', label: 'Observed' }
}

type WatchFacts = Pick<WatchWallet, 'active' | 'isObserved' | 'servers' | 'holders' | 'unpaid' | 'gap'>

/** From 80 % of the gap limit on, an operator should act. */
export function isNearGap({ unpaid, gap }: Pick<WatchWallet, 'unpaid' | 'gap'>): boolean {
  return unpaid * 5 >= gap * 4
}

/** "12 of 1,000 unpaid". */
export function describeGap({ unpaid, gap }: Pick<WatchWallet, 'unpaid' | 'gap'>): string {
  return `${formatNumber(unpaid)} of ${formatNumber(gap)} unpaid`
}

/** Which key signs, with which address, and how. */
export function describeSigner({ key, origin, methods }: WatchSigner, count: number): string {
  const which = count === 1 ? 'The key' : `Key ${key + 1} of ${count}`
  const from = origin === '' ? '' : ` (${origin})`
  return `${which}${from} signs as ${methods.map((method) => METHOD_LABELS[method]).join(' or ')} with this address:`
}
