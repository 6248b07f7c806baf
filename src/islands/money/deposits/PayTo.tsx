import { COIN_LABELS, NETWORK_LABELS } from '../../../contract/money/coins.ts'
import type { Wallet } from '../../../contract/money/wallets.ts'
import { CopyButton } from '../../../design/CopyButton.tsx'
import { Notice } from '../../../design/Notice.tsx'
import { QrCode } from '../../../design/QrCode.tsx'
import styles from './PayTo.module.css'
import { SendNothing } from './SendNothing.tsx'
import { onlyWords } from './words.ts'

interface PayToProps {
  wallet: Wallet
  /** Whether a request sent now would be refused. */
  isRefused: boolean
}

/** The address to pay to, as text and as QR code, after what must not be sent there. */
export function PayTo({ wallet, isRefused }: PayToProps) {
  const { walletName, network, address, image, simulated } = wallet
  const only = onlyWords(wallet)
  return (
    <>
      {simulated ? (
        <SendNothing>
          This is a sample address that no wallet accepts. Once the operator is live: {only}
        </SendNothing>
      ) : (
        <>
          {isRefused && (
            <Notice tone="danger" title="Do not pay yet">
              Your request would be refused as things stand: see above. Pay once nothing is in its way.
            </Notice>
          )}
          <Notice tone="caution">{only}</Notice>
        </>
      )}
      <QrCode
        src={image}
        alt={
          simulated
            ? 'QR code that says: Simulated. Send nothing.'
            : `QR code of the ${COIN_LABELS[walletName]} address`
        }
        size={144}
      >
        <p className="small soft">Wallet address, {NETWORK_LABELS[network]}</p>
        <p className={styles.address}>
          <code>{address}</code>
        </p>
        <CopyButton text={address} what="wallet address" />
      </QrCode>
    </>
  )
}
