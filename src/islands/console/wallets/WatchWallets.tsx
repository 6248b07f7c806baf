import { lazy, Suspense, useState } from 'react'
import { listWatchWallets, type WatchWallet } from '../../../contract/console/watchWallets.ts'
import { formatNumber } from '../../../contract/numbers.ts'
import { Button } from '../../../design/Button.tsx'
import { Modal } from '../../../design/Modal.tsx'
import { Status } from '../../../design/Status.tsx'
import type { Column } from '../../../design/Table.tsx'
import { toast } from '../../../design/toasts.ts'
import { call } from '../../lib/api.ts'
import { getData, useResource } from '../../lib/resource.ts'
import { CaseLoading } from '../cases/Case.tsx'
import { CHAIN_LABELS } from '../cases/coinWords.ts'
import { NeedsRole } from '../cases/OperatorScreen.tsx'
import { TablePanel } from '../cases/TablePanel.tsx'
import { useAddress } from '../cases/useAddress.ts'
import { useOperator } from '../cases/useOperator.ts'
import { describeGap, describeWatchedCoins, watchStatus } from './watchWords.ts'

// Loaded when they are opened, because most visits of the page do not need them.
const ProposeWatchWallet = lazy(async () => ({
  default: (await import('./ProposeWatchWallet.tsx')).ProposeWatchWallet,
}))
const WatchWalletCase = lazy(async () => ({
  default: (await import('./WatchWalletCase.tsx')).WatchWalletCase,
}))

/** The watch-only wallets, whose addresses the platform derives and observes. */
export function WatchWallets() {
  const wallets = useResource('watch wallets', () => call(listWatchWallets))
  const [isProposing, setProposing] = useState(false)
  const [openId, setOpen] = useAddress('watch', '')
  const { can } = useOperator()
  const opened = getData(wallets)?.find(({ _id }) => _id === openId)
  return (
    <>
      <TablePanel
        title="Watch-only wallets"
        actions={
          can('operator:wallets.watch') && (
            <Button size="small" onClick={() => setProposing(true)}>
              Propose a watch-only wallet
            </Button>
          )
        }
        columns={columns}
        data={wallets.state === 'ready' ? { state: 'ready', rows: wallets.data } : wallets}
        rowKey={({ _id }) => _id}
        emptyText="No watch-only wallet. With one, each investor gets their own address, and the chain proves what arrives."
        onRetry={wallets.reload}
        onOpen={({ _id }) => setOpen(_id)}
        skeletonRows={1}
      >
        <NeedsRole scope="operator:wallets.watch" />
      </TablePanel>
      <Modal
        open={openId !== ''}
        onClose={() => setOpen('')}
        title={opened ? `Watch-only wallet on ${CHAIN_LABELS[opened.chain]}` : 'Watch-only wallet'}
        size="large"
      >
        <Suspense fallback={<CaseLoading what="wallet" />}>
          <WatchWalletCase
            key={openId}
            wallet={opened}
            isListLoading={wallets.state === 'loading'}
            onChanged={wallets.reload}
          />
        </Suspense>
      </Modal>
      <Modal
        open={isProposing}
        onClose={() => setProposing(false)}
        title="Propose a watch-only wallet"
        size="large"
      >
        <Suspense fallback={<CaseLoading what="form" />}>
          <ProposeWatchWallet
            taken={(getData(wallets) ?? []).flatMap(({ active, chain }) => (active ? [chain] : []))}
            onCancel={() => setProposing(false)}
            onProposed={() => {
              setProposing(false)
              toast.success('Proposed. Another administrator decides under Proposals.')
            }}
          />
        </Suspense>
      </Modal>
    </>
  )
}

const columns: readonly Column<WatchWallet>[] = [
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
]

function describeServers(servers: WatchWallet['servers']): string {
  if (servers.length === 0) return 'None asked yet'
  const faulty = servers.filter(({ fault }) => fault !== null).length
  return faulty === 0 ? `${servers.length} in order` : `${faulty} of ${servers.length} faulty`
}
