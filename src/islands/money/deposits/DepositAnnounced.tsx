import { COIN_SYMBOLS } from '../../../contract/money/coins.ts'
import type { AnnouncedDeposit } from '../../../contract/money/deposits.ts'
import type { Wallet } from '../../../contract/money/wallets.ts'
import { ButtonLink } from '../../../design/Button.tsx'
import { CopyButton } from '../../../design/CopyButton.tsx'
import { DateTime } from '../../../design/DateTime.tsx'
import { Modal } from '../../../design/Modal.tsx'
import styles from './Deposit.module.css'
import { PayTo } from './PayTo.tsx'

interface DepositAnnouncedProps {
  announced: AnnouncedDeposit
  /** The investor's own address. */
  wallet: Wallet
  onClose: () => void
}

/** What to pay now, and where. A payment to an own address needs no approval, unless its amount is large. */
export function DepositAnnounced({ announced: { ref, quote }, wallet, onClose }: DepositAnnouncedProps) {
  return (
    <Modal open onClose={onClose} title="Deposit Request Completed">
      <p>
        Your request{' '}
        <a href={`/dashboard/transaction-history?open=${ref}`}>
          <code translate="no">{ref}</code>
        </a>{' '}
        was sent. Now pay to your own address.
      </p>
      {quote ? (
        <>
          <div className={styles.figure}>
            <p className={styles.quantity}>{`${quote.quantity} ${COIN_SYMBOLS[wallet.walletName]}`}</p>
            <CopyButton text={quote.quantity} what="quantity to pay" />
          </div>
          <p>
            Pay this quantity before <DateTime at={quote.until} />, and the price stays as it was shown.
            Later, or if the quantity differs by more than 1 %, the price at the time of its confirmation
            counts.
          </p>
        </>
      ) : (
        <p>There is no price right now. The price at the time of its confirmation counts.</p>
      )}
      <PayTo wallet={wallet} />
      <p>We see the payment within a minute, and credit what arrived once the network has confirmed it.</p>
      {/* Not fixed at the end of the dialog, where it would cover the address on a phone. */}
      <div className="row">
        <ButtonLink href="/dashboard/transaction-history" variant="primary">
          Transaction History
        </ButtonLink>
      </div>
    </Modal>
  )
}
