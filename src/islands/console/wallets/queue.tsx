import { CircleAlert, CircleCheck } from 'lucide-react'
import { formatCoinOnNetwork } from '../../../contract/console/coinWords.ts'
import { listOperatorWallets, type OperatorWallet, retireWallet } from '../../../contract/console/wallets.ts'
import { Copied } from '../../../design/CopyButton.tsx'
import { TableDate } from '../../../design/DateTime.tsx'
import { Facts } from '../../../design/Facts.tsx'
import { Money } from '../../../design/Money.tsx'
import { Notice } from '../../../design/Notice.tsx'
import { QrCode } from '../../../design/QrCode.tsx'
import { Status } from '../../../design/Status.tsx'
import { site } from '../../../site.ts'
import { ConfirmOnly } from '../cases/ConfirmedForm.tsx'
import { buildActorFact, CoinOnNetwork, NoWrap } from '../cases/columns.tsx'
import { QueueScreen } from '../cases/QueueScreen.tsx'
import type { QueueDecision, QueueKind } from '../cases/queueKind.ts'
import { Networks } from './Networks.tsx'
import { ProveControl } from './ProveControl.tsx'
import styles from './Wallets.module.css'
import { describeSimulatedWallet, describeWalletStatus, formatAddressEnds, METHOD_LABELS } from './words.ts'

const isLive = site.mode === 'live'

export function WalletQueue() {
  return <QueueScreen kind={wallets} />
}

/** /operator/wallets: the active and the retired receiving wallets. */
const wallets: QueueKind<OperatorWallet> = {
  endpoint: listOperatorWallets,
  plural: 'wallets',
  singular: 'wallet',
  filters: [
    { value: 'active', label: 'Active' },
    { value: 'retired', label: 'Retired' },
    { value: '', label: 'All' },
  ],
  columns: [
    {
      key: 'coin',
      header: 'Wallet',
      narrow: 'start',
      cell: ({ walletName, network }) => <CoinOnNetwork type={walletName} network={network} />,
    },
    {
      key: 'paid',
      header: 'Credited',
      align: 'end',
      narrow: 'end',
      cell: ({ paid }) => <Money value={paid.credited} />,
    },
    {
      key: 'address',
      header: 'Address',
      narrow: 'line',
      cell: ({ address }) => (
        <NoWrap>
          <code translate="no">{formatAddressEnds(address)}</code>
        </NoWrap>
      ),
    },
    {
      key: 'status',
      header: 'Status',
      narrow: 'short-start',
      cell: (wallet) => <Status {...describeWalletStatus(wallet, isLive)} />,
    },
    {
      key: 'proof',
      header: 'Our key',
      narrow: 'wide-end',
      cell: ({ proof }) =>
        proof === null ? (
          'Not proven'
        ) : (
          <span>
            Shown <TableDate at={proof.at} show="date" />
          </span>
        ),
    },
  ],
  isPending: () => false,
  above: Networks,
  titleOf: (wallet) => (wallet ? formatCoinOnNetwork(wallet.walletName, wallet.network) : 'Wallet'),
  nameOf: ({ walletName, network, address }) => `${formatCoinOnNetwork(walletName, network)}, ${address}`,
  details: (wallet) => <WalletDetails wallet={wallet} />,
  decisions: listWalletDecisions,
  outcomeOf: ({ active }) =>
    active
      ? {
          tone: 'success',
          title: 'Shown',
          text: 'The signature matches the key of this address. It is stored with the wallet.',
        }
      : {
          tone: 'success',
          title: 'Retired',
          text: 'Investors no longer see it. Its history stays here.',
        },
}

function listWalletDecisions(wallet: OperatorWallet): readonly QueueDecision<OperatorWallet>[] {
  const { active, proof, checksum, paid } = wallet
  if (!active) return []
  const scope = 'operator:wallets.write'
  return [
    {
      key: 'a',
      label: proof === null ? 'Prove control' : 'Prove control again',
      scope,
      closed: checksum.isRight
        ? undefined
        : 'Nobody holds the key of a sample address, so control cannot be proven.',
      panel: (props) => <ProveControl {...props} />,
    },
    {
      key: 'r',
      label: 'Retire it',
      scope,
      panel: (props) => (
        <ConfirmOnly {...props} endpoint={retireWallet} confirmLabel="Retire the wallet">
          <p>
            Investors will no longer see this address for{' '}
            <strong>{formatCoinOnNetwork(wallet.walletName, wallet.network)}</strong>, and new deposits to it
            are refused. If it is the only wallet, investors cannot deposit this coin on this network.
          </p>
          <p>
            <span>
              {paid.waiting === 0
                ? 'No deposit to it is pending.'
                : `${paid.waiting} pending ${paid.waiting === 1 ? 'deposit' : 'deposits'} to it can still be credited.`}
            </span>{' '}
            Keep its key: coins can still arrive at this address.
          </p>
        </ConfirmOnly>
      ),
    },
  ]
}

/** The address to compare, its decisions, its deposits, and the proof that we hold its key. */
function WalletDetails({ wallet }: { wallet: OperatorWallet }) {
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
          {describeSimulatedWallet(isLive)}
        </Notice>
      )}
      <Facts facts={listWalletFacts(wallet)} />
    </>
  )
}

function listWalletFacts(wallet: OperatorWallet) {
  const { proof, paid } = wallet
  return [
    { label: 'Status', value: <Status {...describeWalletStatus(wallet, isLive)} /> },
    {
      label: 'Credited',
      value: (
        <span>
          <Money value={paid.credited} /> in {formatDepositCount(paid.deposits)}
        </span>
      ),
    },
    paid.waiting > 0 && { label: 'Waiting', value: formatDepositCount(paid.waiting) },
    wallet.reason !== null && { label: 'Because', value: wallet.reason },
    {
      label: 'Our key',
      value:
        proof === null
          ? 'Nobody has proven yet that we hold the key.'
          : `Proven by a signature, ${METHOD_LABELS[proof.method]}`,
    },
    ...(proof === null
      ? []
      : [
          buildActorFact('Shown', proof.by, proof.at),
          { label: 'Message', value: <Copied text={proof.message} what="message" /> },
          { label: 'Signature', value: <Copied text={proof.signature} what="signature" /> },
          {
            label: 'Check it',
            value: (
              <span className="soft">
                Anyone can check it: enter the address, the message and the signature in a wallet or library
                that verifies {METHOD_LABELS[proof.method]}. It proves that we held the key when the message
                was created. It says nothing about the balance.
              </span>
            ),
          },
        ]),
  ]
}

function Address({ wallet: { address, checksum, simulated } }: { wallet: OperatorWallet }) {
  const Icon = checksum.isRight ? CircleCheck : CircleAlert
  // Sample addresses have wrong checksums on purpose.
  const problem = simulated ? 'A sample address that real wallets refuse' : checksum.words
  return (
    <>
      <Copied text={address} what="receiving address" grouped />
      <p className={styles.checksum}>
        <Icon aria-hidden="true" size={16} />
        <span>{checksum.isRight ? `Checksum right: ${checksum.words}` : problem}</span>
      </p>
    </>
  )
}

function formatDepositCount(count: number): string {
  return count === 1 ? 'one deposit' : `${count} deposits`
}
