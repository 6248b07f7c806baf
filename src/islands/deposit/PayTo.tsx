import { COIN_LABELS, NETWORK_LABELS } from '../../contract/coins.ts'
import type { Wallet } from '../../contract/wallets.ts'
import { CopyButton } from '../../design/CopyButton.tsx'
import { Notice } from '../../design/Notice.tsx'
import { QrCode } from '../../design/QrCode.tsx'
import { SendNothing } from './SendNothing.tsx'

/** The address to pay to, as text and as QR code, with what must not be sent there. */
export function PayTo({ wallet }: { wallet: Wallet }) {
  const warning = `${wallet.simulated ? 'Once the operator is live, send' : 'Send'} only ${COIN_LABELS[wallet.walletName]} on the network ${NETWORK_LABELS[wallet.network]} to this address. Any other coin, or the same coin on another network, would be lost.`
  return (
    <div className="stack">
      {wallet.simulated && <SendNothing>This is a sample address that no wallet accepts.</SendNothing>}
      <QrCode
        src={wallet.image}
        alt={wallet.simulated ? 'QR code that says: Simulated. Send nothing.' : 'QR code of the address'}
        size={144}
      >
        <p className="small soft">Wallet address, {NETWORK_LABELS[wallet.network]}</p>
        <p>
          <code>{wallet.address}</code>
        </p>
        <CopyButton text={wallet.address} what="wallet address" />
      </QrCode>
      <Notice tone="caution">{warning}</Notice>
    </div>
  )
}
