import { useState } from 'react'
import {
  getWalletsStanding,
  type OperatorWallet,
  type WalletsStanding,
} from '../../../contract/console/wallets.ts'
import { Button } from '../../../design/Button.tsx'
import { Modal } from '../../../design/Modal.tsx'
import { Panel } from '../../../design/Panel.tsx'
import { Status } from '../../../design/Status.tsx'
import { type Column, Table } from '../../../design/Table.tsx'
import { toast } from '../../../design/toasts.ts'
import { call } from '../../lib/api.ts'
import { useResource } from '../../lib/resource.ts'
import { coinOnNetwork } from '../cases/coinWords.ts'
import { NeedsRole } from '../cases/NeedsRole.tsx'
import { OneLine } from '../cases/OneLine.tsx'
import { useOperator } from '../cases/useOperator.ts'
import type { Queue } from '../cases/useQueue.ts'
import { ProposedWallets } from './ProposedWallets.tsx'
import { ProposeWallet } from './ProposeWallet.tsx'
import { addressEnds, standingStatus, standingWords } from './words.ts'

/** What waits for a second operator, and where investors are sent today, way by way: one without a wallet stands out. */
export function Standing({ queue }: { queue: Queue<OperatorWallet> }) {
  // It follows the list: what was retired there is no longer offered here.
  const version =
    queue.data.state === 'ready' ? queue.data.rows.map(({ active }) => (active ? 'a' : 'r')).join('') : ''
  const standing = useResource(`wallets ${version}`, () => call(getWalletsStanding))
  const [isProposing, setProposing] = useState(false)
  const { can } = useOperator()
  return (
    <>
      {standing.state === 'ready' && <ProposedWallets proposals={standing.data.proposals} />}
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
          data={standing.state === 'ready' ? { state: 'ready', rows: standing.data.networks } : standing}
          rowKey={({ network }) => network}
          emptyText="There is no way to pay."
          onRetry={standing.reload}
          skeletonRows={5}
        />
        <NeedsRole scope="operator:wallets.write" />
      </Panel>
      <Modal open={isProposing} onClose={() => setProposing(false)} title="Propose a wallet" size="large">
        <ProposeWallet
          onCancel={() => setProposing(false)}
          onProposed={() => {
            setProposing(false)
            standing.reload()
            toast.success('Proposed. Another operator decides.')
          }}
        />
      </Modal>
    </>
  )
}

type Way = WalletsStanding['networks'][number]

const columns: readonly Column<Way>[] = [
  {
    key: 'way',
    header: 'What is paid',
    narrow: 'start',
    cell: ({ walletName, network }) => coinOnNetwork(walletName, network),
  },
  { key: 'standing', header: 'Standing', narrow: 'end', cell: (way) => <Status {...standingStatus(way)} /> },
  {
    key: 'address',
    header: 'Investors are sent to',
    narrow: 'line',
    cell: (way) => (
      <>
        {way.address !== null && (
          <OneLine>
            <code>{addressEnds(way.address)}</code>
          </OneLine>
        )}
        {standingWords(way) !== null && <div className="soft small">{standingWords(way)}</div>}
      </>
    ),
  },
]
