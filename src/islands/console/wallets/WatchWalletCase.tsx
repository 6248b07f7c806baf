import { useState } from 'react'
import { retireWatchWallet, type WatchWallet } from '../../../contract/console/watchWallets.ts'
import { formatNumber } from '../../../contract/numbers.ts'
import { Copied } from '../../../design/CopyButton.tsx'
import { DateTime } from '../../../design/DateTime.tsx'
import { Facts } from '../../../design/Facts.tsx'
import { Notice } from '../../../design/Notice.tsx'
import { Status } from '../../../design/Status.tsx'
import {
  CaseFrame,
  CaseMissing,
  describeNothingDone,
  OutcomeNotice,
  type OutcomeWords,
} from '../cases/Case.tsx'
import styles from '../cases/cases.module.css'
import { buildActorFact } from '../cases/columns.tsx'
import { Decide } from '../cases/Decide.tsx'
import { HardwareWarnings } from '../cases/HardwareWarnings.tsx'
import { ReasonForm } from '../cases/ReasonForm.tsx'
import { describeGap, describeWatchedCoins, isNearGap, watchStatus } from './watchWords.ts'
import { METHOD_LABELS } from './words.ts'

interface WatchWalletCaseProps {
  /** Undefined if the list does not contain it. */
  wallet: WatchWallet | undefined
  isListLoading: boolean
  onChanged: () => void
}

/** One watch-only wallet: its descriptor, its addresses, its servers, and the proof that its keys are ours. */
export function WatchWalletCase({ wallet, isListLoading, onChanged }: WatchWalletCaseProps) {
  const [outcome, setOutcome] = useState<OutcomeWords | null>(null)
  if (wallet === undefined) return <CaseMissing what="wallet" isListLoading={isListLoading} />
  const handleDone = (words: OutcomeWords) => {
    setOutcome(words)
    onChanged()
  }
  return (
    <CaseFrame>
      {outcome && <OutcomeNotice {...outcome} />}
      <Warnings wallet={wallet} />
      <Facts facts={listWatchWalletFacts(wallet)} />
      <Servers wallet={wallet} />
      <Proof wallet={wallet} />
      {wallet.active && outcome === null && (
        <Decide
          choices={[
            {
              key: 'r',
              label: 'Retire it',
              scope: 'operator:wallets.watch',
              panel: (onCancel) => (
                <ReasonForm
                  row={wallet}
                  endpoint={retireWatchWallet}
                  label="Reason"
                  hint="Other operators can read it."
                  consequence={`Once another administrator approves it, this wallet gives no new address for ${describeWatchedCoins(wallet)}. Until another one of this chain is approved, investors pay to the receiving wallets, and operators enter what arrived and pay withdrawals by hand. Its addresses are still watched. Keep its keys: coins can still arrive.`}
                  confirmLabel="Propose the retirement"
                  what="Retiring a watch-only wallet"
                  variant="primary"
                  onDecided={() =>
                    handleDone({
                      tone: 'success',
                      title: 'Proposed',
                      text: 'Nothing changes until another administrator approves it.',
                    })
                  }
                  onOvertaken={(msg) => handleDone(describeNothingDone(msg))}
                  onCancel={onCancel}
                />
              ),
            },
          ]}
        />
      )}
    </CaseFrame>
  )
}

function Warnings({ wallet }: { wallet: WatchWallet }) {
  const { active, isObserved, unpaid, gap } = wallet
  if (!active) return null
  return (
    <>
      {!isObserved && (
        <Notice tone="danger" title="Nobody looks for payments">
          This chain has no servers in the configuration, so the wallet gives no address. Whoever runs the
          platform has to name two servers.
        </Notice>
      )}
      <HardwareWarnings warnings={wallet.warnings} />
      {isNearGap(wallet) && (
        <Notice tone="caution" title="Near its gap limit">
          {formatNumber(unpaid)} unpaid addresses follow the last paid one. Your wallet’s software stops
          looking after {formatNumber(gap)}, so no address beyond is given. Raise the gap limit in the
          wallet’s software first. Then raise “Unpaid addresses that wallets scan” in the{' '}
          <a href="/operator/settings">settings</a>.
        </Notice>
      )}
    </>
  )
}

function listWatchWalletFacts(wallet: WatchWallet) {
  const { chain, descriptor, nextIndex } = wallet
  return [
    { label: 'Status', value: <Status {...watchStatus(wallet)} /> },
    { label: 'Receives', value: describeWatchedCoins(wallet) },
    {
      label: chain === 'bitcoin' ? 'Descriptor' : 'Public key of the account',
      value: <Copied text={descriptor} what="descriptor" />,
    },
    { label: 'Next address', value: `Number ${formatNumber(nextIndex)}` },
    { label: 'After the last paid one', value: describeGap(wallet) },
    buildActorFact('Proposed', wallet.proposedBy, wallet.createdAt),
    { label: 'Approved', value: wallet.approvedBy.name },
    wallet.reason !== null && { label: 'Because', value: wallet.reason },
    wallet.retiredAt !== null && buildActorFact('Retired', wallet.retiredBy, wallet.retiredAt),
  ]
}

function Servers({ wallet: { servers } }: { wallet: WatchWallet }) {
  if (servers.length === 0) return null
  return (
    <section className={styles.part} aria-labelledby="servers">
      <h3 id="servers">Servers</h3>
      <Facts
        facts={servers.map(({ server, height, answeredAt, failingSince, fault }) => ({
          label: server,
          value: (
            <span>
              <span>{height === null ? 'No block yet' : `Block ${formatNumber(height)}`}</span>
              {answeredAt !== null && (
                <span>
                  , answered <DateTime at={answeredAt} />
                </span>
              )}
              {fault !== null && (
                <p>
                  <Status status="rejected" label={`It ${fault}`} />
                  {failingSince !== null && (
                    <span>
                      {' '}
                      since <DateTime at={failingSince} />
                    </span>
                  )}
                </p>
              )}
            </span>
          ),
        }))}
      />
    </section>
  )
}

/** The message and the signatures of the keys, which anyone can check. */
function Proof({ wallet: { proof } }: { wallet: WatchWallet }) {
  return (
    <section className={styles.part} aria-labelledby="proof">
      <h3 id="proof">Proof of control</h3>
      <Facts
        facts={[
          { label: 'Message', value: <Copied text={proof.message} what="message" /> },
          ...proof.signers.flatMap(({ key, origin, address, methods }, place) => [
            {
              label: proof.signers.length === 1 ? 'Signed with' : `Key ${key + 1} signed with`,
              value: (
                <Copied text={address} what="address of the key">
                  <span className="soft small">
                    <span>{origin === '' ? '' : `${origin}, `}</span>
                    {methods.map((method) => METHOD_LABELS[method]).join(' or ')}
                  </span>
                </Copied>
              ),
            },
            {
              label: proof.signers.length === 1 ? 'Signature' : `Signature of key ${key + 1}`,
              value: <Copied text={proof.signatures[place] ?? ''} what="signature" />,
            },
          ]),
        ]}
      />
    </section>
  )
}
