import { COIN_LABELS, NETWORK_LABELS } from '../../contract/coins.ts'
import type { Wallet } from '../../contract/wallets.ts'

/** What may be sent to a wallet, and what becomes of anything else. */
export function onlyWords({ walletName, network }: Pick<Wallet, 'walletName' | 'network'>): string {
  const coin = COIN_LABELS[walletName]
  return `Send only ${coin} on the ${NETWORK_LABELS[network]} network to this address. Any other coin, or ${coin} sent on another network, is lost.`
}
