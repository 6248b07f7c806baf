import { lazy, Suspense } from 'react'
import { CHAIN_LABELS } from '../../../contract/console/coinWords.ts'
import {
  listWatchWallets,
  retireWatchWallet,
  type WatchWallet,
} from '../../../contract/console/watchWallets.ts'
import { formatNumber } from '../../../contract/numbers.ts'
import { Copied } from '../../../design/CopyButton.tsx'
import { DateTime } from '../../../design/DateTime.tsx'
import { Facts } from '../../../design/Facts.tsx'
import { Notice } from '../../../design/Notice.tsx'
import { Status } from '../../../design/Status.tsx'
import { CaseLoading } from '../cases/Case.tsx'
import styles from '../cases/cases.module.css'
import { KeyHolderName } from '../cases/columns.tsx'
import { HardwareWarnings } from '../cases/HardwareWarnings.tsx'
import type { QueueKind } from '../cases/queueKind.ts'
import { describeProposed, proposeIt } from '../cases/ReasonForm.tsx'
import { describeGap, describeWatchedCoins, isNearGap, watchStatus } from './watchWords.ts'
import { METHOD_LABELS } from './words.ts'

// Brings the rules of all proposals.
const AssignKeys = lazy(async () => ({ default: (await import('./AssignKeys.tsx')).AssignKeys }))

/** The watch-only wallets, whose addresses the platform derives and observes. */
export const watchWallets: QueueKind<WatchWallet> = {
  endpoint: listWatchWallets,
  plural: 'watch-only wallets',
  singular: 'watch-only wallet',
  title: 'Watch-only wallets',
  openedBy: 'watch',
  columns: [
    {
      key: 'chain',
      header: 'Chain',
      narrow: 'start',
      cell: (wallet) => (
        <>
          <span>{CHAIN_LABELS[wallet.chain]}</span>
          <div className="soft small">{describeWatchedCoins(wallet)}</div>
        </>
      ),
    },
    { key: 'status', header: 'Status', narrow: 'end', cell: (wallet) => <Status {...watchStatus(wallet)} /> },
    {
      key: 'addresses',
      header: 'Addresses',
      narrow: 'line',
      cell: (wallet) => (
        <span>
          {formatNumber(wallet.nextIndex)} given, {describeGap(wallet)}
        </span>
      ),
    },
    {
      key: 'servers',
      header: 'Servers',
      narrow: 'line',
      label: true,
      cell: ({ servers }) => describeServers(servers),
    },
  ],
  emptyText:
    'No watch-only wallet. With one, each investor gets their own address, and the chain proves what arrives.',
  skeletonRows: 1,
  create: {
    label: 'Propose a watch-only wallet',
    scope: 'operator:wallets.watch',
    // Loaded when it is opened, because most visits of the page do not need it.
    form: lazy(async () => ({ default: (await import('./ProposeWatchWallet.tsx')).ProposeWatchWallet })),
  },
  titleOf: (wallet) => (wallet ? `Watch-only wallet on ${CHAIN_LABELS[wallet.chain]}` : 'Watch-only wallet'),
  details: (wallet) => (
    <>
      <Warnings wallet={wallet} />
      <Facts facts={listWatchWalletFacts(wallet)} />
      <Servers wallet={wallet} />
      <Proof wallet={wallet} />
    </>
  ),
  decisions: (wallet) =>
    wallet.active
      ? [
          {
            key: 'a',
            label: 'Assign the keys',
            scope: 'operator:wallets.watch',
            panel: ({ onDone, ...props }) => (
              <Suspense fallback={<CaseLoading what="form" />}>
                <AssignKeys
                  {...props}
                  onProposed={(proposal) => onDone(describeProposed(proposal, UNCHANGED))}
                />
              </Suspense>
            ),
          },
          proposeIt({ key: 'r', label: 'Retire it', scope: 'operator:wallets.watch' }, UNCHANGED, {
            endpoint: retireWatchWallet,
            hint: 'Other operators can read it.',
            consequence: `Once another administrator approves it, this wallet gives no new address for ${describeWatchedCoins(wallet)}. Until another one of this chain is approved, investors pay to the receiving wallets, and operators enter what arrived and pay withdrawals by hand. Its addresses are still watched. Keep its keys: coins can still arrive.`,
            confirmLabel: 'Propose the retirement',
            what: 'Retiring a watch-only wallet',
          }),
        ]
      : [],
}

function describeServers(servers: WatchWallet['servers']): string {
  if (servers.length === 0) return 'None asked yet'
  const faulty = servers.filter(({ fault }) => fault !== null).length
  return faulty === 0 ? `${servers.length} in order` : `${faulty} of ${servers.length} faulty`
}

const UNCHANGED = 'Nothing changes until another administrator approves it.'

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
      {wallet.holders.some((holder) => holder?.canSign === false) && (
        <Notice tone="danger" title="A key needs another person">
          Its holder is disabled or no longer a treasurer, so nobody can hand in its signature. Press “Assign
          the keys” and choose somebody else.
        </Notice>
      )}
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
    wallet.reason !== null && { label: 'Because', value: wallet.reason },
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
function Proof({ wallet: { proof, holders } }: { wallet: WatchWallet }) {
  return (
    <section className={styles.part} aria-labelledby="proof">
      <h3 id="proof">Keys and proof of control</h3>
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
              label: proof.signers.length === 1 ? 'Its holder' : `Holder of key ${key + 1}`,
              value: <KeyHolderName holder={holders[place] ?? null} />,
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
