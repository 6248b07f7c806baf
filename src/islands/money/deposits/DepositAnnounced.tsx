import type { AnnouncedDeposit } from '../../../contract/money/deposits.ts'
import type { Wallet } from '../../../contract/money/wallets.ts'
import { ButtonLink } from '../../../design/Button.tsx'
import { Modal } from '../../../design/Modal.tsx'
import { PayTo } from './PayTo.tsx'
import { QuotedPayment } from './QuotedPayment.tsx'

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
        was sent. It awaits your payment to your own address.
      </p>
      <QuotedPayment coin={wallet.walletName} quote={quote} />
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
