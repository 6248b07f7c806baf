import { listOperatorStrategies, type OperatorStrategy } from '../../../contract/console/strategies.ts'
import { Modal } from '../../../design/Modal.tsx'
import { Money } from '../../../design/Money.tsx'
import { Notice } from '../../../design/Notice.tsx'
import { Panel } from '../../../design/Panel.tsx'
import { Status } from '../../../design/Status.tsx'
import type { TableProps, TableRows } from '../../../design/Table.tsx'
import { site } from '../../../site.ts'
import { MarketTables } from '../../investing/strategies/positions.tsx'
import { call } from '../../lib/api.ts'
import { useResource } from '../../lib/resource.ts'
import { NoWrap } from '../cases/columns.tsx'
import { NeedsRole, OperatorScreen } from '../cases/OperatorScreen.tsx'
import { TablePanel, type TablePanelProps } from '../cases/TablePanel.tsx'
import { useAddress } from '../cases/useAddress.ts'
import { useDecided } from '../cases/useDecided.ts'
import { StrategyCase } from './StrategyCase.tsx'
import { describePendingOrders, describeStrategyStatus } from './words.ts'

/** /operator/strategies: the status of each strategy, and the decisions about it. */
export function Strategies() {
  return (
    <OperatorScreen scope="operator:strategies.read" waiting={<TablePanel {...LIST} />}>
      {StrategiesScreen}
    </OperatorScreen>
  )
}

function StrategiesScreen() {
  const [openId, setOpen] = useAddress('open', '')
  const strategies = useResource('operator strategies', () => call(listOperatorStrategies))
  const loaded: TableRows<OperatorStrategy> =
    strategies.state === 'ready' ? { state: 'ready', rows: strategies.data } : strategies
  const changed = useDecided(loaded, 'strategies')
  const rows = changed.data.state === 'ready' ? changed.data.rows : []
  const opened = rows.find(({ _id }) => _id === openId)
  const reload = () => {
    changed.forget()
    strategies.reload()
  }
  return (
    <>
      {site.mode === 'simulated' && rows.length > 0 && (
        <Notice>
          <span>{rows.every(({ market }) => !market.real) && 'Prices and money are simulated. '}</span>
          <span>{rows.some(({ market }) => market.real) && 'Money is simulated on every market. '}</span>
          Nothing is bought or sold on a real market.
        </Notice>
      )}
      <Panel title={LIST.title}>
        <MarketTables
          {...TABLE}
          data={changed.data}
          onRetry={strategies.reload}
          onOpen={({ _id }) => setOpen(_id)}
        />
        {LIST.children}
      </Panel>
      <Modal open={openId !== ''} onClose={() => setOpen('')} title={opened?.name ?? 'Strategy'} size="large">
        <StrategyCase
          key={openId}
          listed={opened}
          isListLoading={strategies.state === 'loading'}
          onChanged={changed.put}
          onOvertaken={reload}
        />
      </Modal>
    </>
  )
}

const TABLE: Omit<TableProps<OperatorStrategy>, 'data'> = {
  caption: 'Strategies',
  columns: [
    { key: 'name', header: 'Strategy', narrow: 'start', cell: ({ name }) => name },
    {
      key: 'value',
      header: 'Pool',
      align: 'end',
      narrow: 'end',
      cell: ({ netValue }) => (netValue === null ? 'Not valued yet' : <Money value={netValue} />),
    },
    {
      key: 'status',
      header: 'Status',
      narrow: 'short-start',
      cell: (strategy) => (
        <NoWrap>
          <Status {...describeStrategyStatus(strategy)} />
        </NoWrap>
      ),
    },
    {
      key: 'step',
      header: 'Last step',
      narrow: 'wide-end',
      label: true,
      cell: ({ lastStep }) => <NoWrap>{lastStep ?? 'None yet'}</NoWrap>,
    },
    { key: 'waiting', header: 'Orders waiting', narrow: 'line', label: true, cell: describePendingOrders },
  ],
  rowKey: ({ _id }) => _id,
  emptyText:
    'No strategy has started yet. The cron starts one a minute, once the daily bars of its market have arrived.',
  skeletonRows: 6,
}

const LIST: TablePanelProps<OperatorStrategy> = {
  ...TABLE,
  title: 'All strategies',
  children: <NeedsRole scope="operator:strategies.suspend" />,
}
