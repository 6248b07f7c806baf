import type { OperatorWallet, ProofMethod, WalletsStatus } from '../../../contract/console/wallets.ts'
import type { StatusProps } from '../../../design/Status.tsx'

/** Whether a wallet is in use, and whether it is simulated. */
export function describeWalletStatus(
  { active, simulated }: Pick<OperatorWallet, 'active' | 'simulated'>,
  isLive: boolean,
): StatusProps {
  if (!active) return { status: 'retired', label: simulated ? 'Retired, simulated' : 'Retired' }
  if (!simulated) return { status: 'active', label: 'In use' }
  return isLive
    ? { status: 'frozen', label: 'Simulated: not shown' }
    : { status: 'active', label: 'In use, simulated' }
}

/** What happens to a wallet that was approved while money was simulated. */
export function describeSimulatedWallet(isLive: boolean): string {
  return isLive
    ? 'It was approved before the platform was live, so investors do not see it. Retire it. You can then propose its address again.'
    : 'It was approved while money is simulated, so it stays simulated. Investors do not see it once the platform is live. Retire it then, and propose its address again.'
}

type NetworkWallets = WalletsStatus['networks'][number]

/** The number of wallets that investors are offered on a network. */
export function describeNetworkStatus({ offered }: Pick<NetworkWallets, 'offered'>): StatusProps {
  if (offered === 0) return { status: 'rejected', label: 'No wallet' }
  return offered === 1
    ? { status: 'active', label: 'One wallet' }
    : { status: 'pending', label: `${offered} wallets` }
}

/** The action that a network's wallets need; null if they need none. */
export function describeNetworkWallets({
  offered,
  leftOver,
}: Pick<NetworkWallets, 'offered' | 'leftOver'>): string | null {
  const left =
    leftOver === 0
      ? ''
      : `${leftOver} from before the platform was live: retire ${leftOver === 1 ? 'it' : 'them'}.`
  const words =
    offered === 0
      ? 'Investors cannot deposit on this network.'
      : offered > 1
        ? 'Investors see the newest. Deposits to each of them are accepted.'
        : ''
  return [words, left].filter((part) => part !== '').join(' ') || null
}

/** The standards for signatures. */
export const METHOD_LABELS: Record<ProofMethod, string> = {
  bip322: 'BIP 322',
  bip137: 'BIP 137',
  eip191: 'EIP-191',
  tip191: 'TIP-191',
}

/** The ends of an address, to distinguish our own wallets. Never enough to verify an address. */
export function formatAddressEnds(address: string): string {
  return `${address.slice(0, 8)}…${address.slice(-8)}`
}
