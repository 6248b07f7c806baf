import { COIN_LABELS, NETWORK_LABELS } from '../../../contract/money/coins.ts'
import type { Wallet } from '../../../contract/money/wallets.ts'
import { CopyButton } from '../../../design/CopyButton.tsx'
import { Notice } from '../../../design/Notice.tsx'
import { QrCode } from '../../../design/QrCode.tsx'
import styles from './Deposit.module.css'
import { SendNothing } from './SendNothing.tsx'
import { describeAcceptedCoin } from './words.ts'

/** The address as text and QR code, after the warnings. */
export function PayTo({ wallet }: { wallet: Wallet }) {
  const { walletName, network, address, image, simulated, own } = wallet
  const only = describeAcceptedCoin(wallet)
  return (
    <>
      {simulated ? (
        <SendNothing>This is a sample address. A real one would say: {only}</SendNothing>
      ) : (
        <Notice tone="caution">{only}</Notice>
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
        <p className="small soft">
          {`${own ? 'Your own address' : 'Wallet address'}, ${NETWORK_LABELS[network]}`}
        </p>
        <p className={styles.address}>
          <code translate="no">{address}</code>
        </p>
        <CopyButton text={address} what="wallet address" />
      </QrCode>
    </>
  )
}
