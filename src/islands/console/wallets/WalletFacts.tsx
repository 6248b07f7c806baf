import { CircleAlert, CircleCheck } from 'lucide-react'
import type { OperatorWallet } from '../../../contract/console/wallets.ts'
import { Copied } from '../../../design/Copied.tsx'
import { DateTime } from '../../../design/DateTime.tsx'
import { type Fact, Facts } from '../../../design/Facts.tsx'
import { Money } from '../../../design/Money.tsx'
import { Notice } from '../../../design/Notice.tsx'
import { QrCode } from '../../../design/QrCode.tsx'
import { Status } from '../../../design/Status.tsx'
import { site } from '../../../site.ts'
import styles from './WalletFacts.module.css'
import { METHOD_LABELS, simulatedWords, walletStatus } from './words.ts'

const isLive = site.mode === 'live'

/** All that is known of a wallet: what to compare, who decided what, what was paid to it, and the proof of its key. */
export function WalletFacts({ wallet }: { wallet: OperatorWallet }) {
  const { proof, paid } = wallet
  return (
    <>
      {wallet.active ? (
        <QrCode
          src={wallet.image}
          alt={wallet.simulated ? 'QR code that says: Simulated. Send nothing.' : 'QR code of the address'}
          size={144}
        >
          <Address wallet={wallet} />
        </QrCode>
      ) : (
        <Address wallet={wallet} />
      )}
      {wallet.simulated && wallet.active && (
        <Notice tone="caution" title="Simulated. Send nothing.">
          {simulatedWords(isLive)}
        </Notice>
      )}
      <Facts
        facts={[
          { label: 'Status', value: <Status {...walletStatus(wallet, isLive)} /> },
          {
            label: 'Credited',
            value: (
              <>
                <Money value={paid.credited} /> in {countOf(paid.deposits)}
              </>
            ),
          },
          paid.waiting > 0 && { label: 'Waiting', value: countOf(paid.waiting) },
          who('Proposed', wallet.proposedBy, wallet.proposedAt),
          wallet.reason !== null && { label: 'Because', value: wallet.reason },
          who('Approved', wallet.approvedBy, wallet.createdAt),
          wallet.retiredAt !== null && who('Retired', wallet.retiredBy, wallet.retiredAt),
          {
            label: 'Our key',
            value:
              proof === null
                ? 'Nobody has shown yet that we hold it.'
                : `Shown by a signature, ${METHOD_LABELS[proof.method]}`,
          },
          proof !== null && who('Shown', proof.by, proof.at),
          proof !== null && { label: 'Message', value: <Copied text={proof.message} what="message" /> },
          proof !== null && { label: 'Signature', value: <Copied text={proof.signature} what="signature" /> },
          proof !== null && {
            label: 'Check it',
            value: (
              <span className="soft">
                Anybody can: give the address, the message and the signature to a wallet or a library that
                verifies {METHOD_LABELS[proof.method]}. It shows that we held the key when the message was
                issued, and nothing of what lies at the address.
              </span>
            ),
          },
        ]}
      />
    </>
  )
}

function Address({ wallet: { address, checksum, simulated } }: { wallet: OperatorWallet }) {
  const Icon = checksum.isRight ? CircleCheck : CircleAlert
  return (
    <>
      <Copied text={address} what="receiving address" grouped />
      <p className={styles.checksum}>
        <Icon aria-hidden="true" size={16} />
        {checksumWords(checksum, simulated)}
      </p>
    </>
  )
}

function checksumWords({ isRight, words }: OperatorWallet['checksum'], simulated: boolean): string {
  if (isRight) return `Checksum right: ${words}`
  // Those of development are wrong on purpose.
  return simulated ? 'A sample that no real wallet sends to' : words
}

function who(label: string, by: { name: string } | null, at: string): Fact {
  return {
    label,
    value: (
      <>
        {by === null ? 'Not recorded by whom' : by.name}, <DateTime at={at} />
      </>
    ),
  }
}

/** "one deposit", "12 deposits". */
function countOf(count: number): string {
  return count === 1 ? 'one deposit' : `${count} deposits`
}
