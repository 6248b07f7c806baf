import { lazy, Suspense, useState } from 'react'
import { formatCoinOnNetwork } from '../../../contract/console/coinWords.ts'
import {
  getWalletsStatus,
  type OperatorWallet,
  type WalletsStatus,
} from '../../../contract/console/wallets.ts'
import { Button, ButtonLink } from '../../../design/Button.tsx'
import { DateTime } from '../../../design/DateTime.tsx'
import { Modal } from '../../../design/Modal.tsx'
import { Notice } from '../../../design/Notice.tsx'
import { Panel } from '../../../design/Panel.tsx'
import { Status } from '../../../design/Status.tsx'
import { type Column, Table } from '../../../design/Table.tsx'
import { toast } from '../../../design/toasts.ts'
import { call } from '../../lib/api.ts'
import { useResource } from '../../lib/resource.ts'
import { CaseLoading } from '../cases/Case.tsx'
import { CoinOnNetwork, NoWrap } from '../cases/columns.tsx'
import { NeedsRole } from '../cases/OperatorScreen.tsx'
import { QueueList } from '../cases/QueueScreen.tsx'
import { useOperator } from '../cases/useOperator.ts'
import type { Queue } from '../cases/useQueue.ts'
import { watchWallets } from './watchWallets.tsx'
import { describeNetworkStatus, describeNetworkWallets, formatAddressEnds } from './words.ts'

// Loaded when it is opened: it brings the checksums of every network.
const ProposeWallet = lazy(async () => ({ default: (await import('./ProposeWallet.tsx')).ProposeWallet }))

/** Proposed wallets, and the wallet of each network that investors pay to. Marks networks without a wallet. */
export function Networks({ queue }: { queue: Queue<OperatorWallet> }) {
  // Reloads when a wallet in the list is retired.
  const version =
    queue.data.state === 'ready' ? queue.data.rows.map(({ active }) => (active ? 'a' : 'r')).join('') : ''
  const networks = useResource(`wallets ${version}`, () => call(getWalletsStatus))
  const [isProposing, setProposing] = useState(false)
  const { can } = useOperator()
  return (
    <>
      {networks.state === 'ready' && <ProposedWallets proposals={networks.data.proposals} />}
      <Panel
        title="Where investors pay"
        actions={
          can('operator:wallets.write') && (
            <Button variant="primary" size="small" onClick={() => setProposing(true)}>
              Propose a wallet
            </Button>
          )
        }
      >
        <Table
          caption="Where investors pay"
          columns={columns}
          data={networks.state === 'ready' ? { state: 'ready', rows: networks.data.networks } : networks}
          rowKey={({ network }) => network}
          emptyText="There is no receiving wallet."
          onRetry={networks.reload}
          skeletonRows={5}
        />
        <NeedsRole scope="operator:wallets.write" />
      </Panel>
      <QueueList kind={watchWallets} />
      <Modal open={isProposing} onClose={() => setProposing(false)} title="Propose a wallet" size="large">
        <Suspense fallback={<CaseLoading what="form" />}>
          <ProposeWallet
            onCancel={() => setProposing(false)}
            onProposed={() => {
              setProposing(false)
              networks.reload()
              toast.success('Proposed. Another operator decides.')
            }}
          />
        </Suspense>
      </Modal>
    </>
  )
}

/** Wallets that wait for a second operator, with links to their proposals. */
function ProposedWallets({ proposals }: { proposals: WalletsStatus['proposals'] }) {
  const { me } = useOperator()
  return proposals.map(({ _id, walletName, network, address, createdAt, proposedBy }) => {
    const isOwn = me?._id === proposedBy._id
    return (
      <Notice
        key={_id}
        title={`${formatCoinOnNetwork(walletName, network)} to ${formatAddressEnds(address)} waits for ${isOwn ? 'another' : 'a second'} operator`}
        actions={
          <ButtonLink href={`/operator/proposals?open=${_id}`} size="small">
            <span>{isOwn ? 'Open' : 'Review'}</span>
            <span className="visually-hidden"> {formatAddressEnds(address)}</span>
          </ButtonLink>
        }
      >
        Proposed by <span>{isOwn ? 'you' : proposedBy.name}</span>, <DateTime at={createdAt} />. No investor
        sees it before.
      </Notice>
    )
  })
}

const columns: readonly Column<WalletsStatus['networks'][number]>[] = [
  {
    key: 'way',
    header: 'Coin',
    narrow: 'start',
    cell: ({ walletName, network }) => <CoinOnNetwork type={walletName} network={network} />,
  },
  {
    key: 'status',
    header: 'Standing',
    narrow: 'end',
    cell: (row) => <Status {...describeNetworkStatus(row)} />,
  },
  {
    key: 'address',
    header: 'Address shown to investors',
    narrow: 'line',
    cell: (row) => (
      <>
        {row.address !== null && (
          <NoWrap>
            <code translate="no">{formatAddressEnds(row.address)}</code>
          </NoWrap>
        )}
        {describeNetworkWallets(row) !== null && (
          <div className="soft small">{describeNetworkWallets(row)}</div>
        )}
      </>
    ),
  },
]
