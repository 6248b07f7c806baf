import { type OperatorVenue, showVenue } from '../../../contract/console/venue.ts'
import { DateTime, TableDate } from '../../../design/DateTime.tsx'
import { Money } from '../../../design/Money.tsx'
import { LoadFailure, Notice } from '../../../design/Notice.tsx'
import { Panel } from '../../../design/Panel.tsx'
import { Status } from '../../../design/Status.tsx'
import { call } from '../../lib/api.ts'
import { useResource } from '../../lib/resource.ts'
import { NoWrap } from '../cases/columns.tsx'
import { OperatorScreen } from '../cases/OperatorScreen.tsx'
import { TablePanel, type TablePanelProps } from '../cases/TablePanel.tsx'
import { VenueDecisions } from './VenueDecisions.tsx'
import { checkTitle, describeUnmetConditions, ORDER_STATES } from './words.ts'

type Strategy = OperatorVenue['strategies'][number]
type Order = OperatorVenue['orders'][number]

/** /operator/venue: the exchange where strategies trade with money, and the decisions about it. */
export function Venue() {
  return (
    <OperatorScreen scope="operator:strategies.read" waiting={<TablePanel {...STRATEGIES} />}>
      {VenueScreen}
    </OperatorScreen>
  )
}

function VenueScreen() {
  const venue = useResource('operator venue', () => call(showVenue))
  if (venue.state === 'failed') return <LoadFailure msg={venue.msg} onRetry={venue.reload} />
  if (venue.state === 'loading') return <TablePanel {...STRATEGIES} />
  const { data } = venue
  return (
    <>
      {data.venue === null ? (
        <Notice title="No exchange is configured">
          Strategies trade on paper. Nothing is bought or sold on a real market. The settings VENUE, VENUE_KEY
          and VENUE_SECRET name an exchange.
        </Notice>
      ) : (
        <Check venue={data} />
      )}
      {data.stops.map(({ scope, since, by, reason }) => (
        <Notice
          key={scope}
          tone="danger"
          title={
            scope === 'all' ? 'All trading is stopped' : `Trading at ${data.venue?.name ?? scope} is stopped`
          }
        >
          <bdi>{by.name}</bdi> stopped it, <DateTime at={since} />. {reason}
        </Notice>
      ))}
      <Panel title="Decisions">
        <VenueDecisions venue={data} onChanged={venue.reload} />
      </Panel>
      <TablePanel {...STRATEGIES} rows={data.strategies} />
      <TablePanel
        title="What the exchange must hold"
        columns={[
          { key: 'asset', header: 'Asset', cell: ({ asset }) => asset },
          { key: 'quantity', header: 'Quantity', align: 'end', cell: ({ quantity }) => quantity },
        ]}
        rows={data.balances}
        rowKey={({ asset }) => asset}
        emptyText="Nothing was moved there yet."
      />
      <TablePanel {...ORDERS} rows={data.orders} />
      <TablePanel
        title="Transfers"
        columns={[
          { key: 'at', header: 'Decided', cell: ({ at }) => <TableDate at={at} /> },
          { key: 'asset', header: 'Asset', cell: ({ asset }) => asset },
          { key: 'quantity', header: 'Quantity', align: 'end', cell: ({ quantity }) => quantity },
          { key: 'by', header: 'Approved by', cell: ({ by }) => by.name },
        ]}
        rows={data.transfers}
        rowKey={({ _id }) => _id}
        emptyText="No transfer was decided yet."
      />
    </>
  )
}

/** The last comparison, with the problems that it found. */
function Check({ venue: { venue, check, fee } }: { venue: OperatorVenue }) {
  if (check === null)
    return <Notice title={`${venue?.name} has not been checked yet`}>The cron checks it every minute.</Notice>
  const { state, at, differences, found, waits } = check
  return (
    <Notice tone={state === 'equal' ? 'success' : 'danger'} title={checkTitle(venue?.name ?? '', state)}>
      <p>
        Compared <DateTime at={at} />.
      </p>
      {differences.length > 0 && (
        <ul>
          {differences.map(({ asset, expected, actual }) => (
            <li key={asset}>
              {asset}: the books say {expected}, the exchange holds {actual}
            </li>
          ))}
        </ul>
      )}
      {[...found, ...waits].map((words) => (
        <p key={words}>{words}.</p>
      ))}
      {fee && (
        <p>
          Its fee is <span>{(fee.share * 100).toFixed(2)}%</span>, asked <DateTime at={fee.askedAt} />.
        </p>
      )}
    </Notice>
  )
}

const STRATEGIES: TablePanelProps<Strategy> = {
  title: 'Strategies on its prices',
  columns: [
    { key: 'name', header: 'Strategy', narrow: 'start', cell: ({ name }) => name },
    {
      key: 'state',
      header: 'Trades',
      narrow: 'end',
      cell: ({ since }) => (
        <NoWrap>
          <Status
            status={since === null ? 'pending' : 'active'}
            label={since === null ? 'On paper' : 'With money'}
          />
        </NoWrap>
      ),
    },
    {
      key: 'conditions',
      header: 'Conditions not met yet',
      narrow: 'line',
      cell: ({ since, conditions }) => (since === null ? describeUnmetConditions(conditions) : ''),
    },
    {
      key: 'owes',
      header: 'Owes',
      narrow: 'line',
      align: 'end',
      cell: ({ owes }) => (owes === null ? '' : <Money value={owes} />),
    },
  ],
  rowKey: ({ _id }) => _id,
  emptyText: 'No strategy runs on the prices of an exchange.',
}

const ORDERS: TablePanelProps<Order> = {
  title: 'Newest orders',
  columns: [
    { key: 'at', header: 'Sent', narrow: 'start', cell: ({ sentAt }) => <TableDate at={sentAt} /> },
    {
      key: 'what',
      header: 'Order',
      narrow: 'line',
      cell: ({ side, quantity, asset, limitPrice }) => `${side} ${quantity} ${asset}, limit $${limitPrice}`,
    },
    {
      key: 'filled',
      header: 'Filled',
      narrow: 'line',
      label: true,
      align: 'end',
      cell: ({ filled }) => filled,
    },
    {
      key: 'state',
      header: 'State',
      narrow: 'end',
      cell: ({ state, reason }) =>
        reason === null ? ORDER_STATES[state] : `${ORDER_STATES[state]}: ${reason}`,
    },
  ],
  rowKey: ({ _id }) => _id,
  emptyText: 'No order was sent yet.',
}
