import type { TradedMarket } from '../../../contract/common.ts'
import type { Position } from '../../../contract/investing/allocations.ts'
import { Money } from '../../../design/Money.tsx'
import { type Column, Table, type TableProps } from '../../../design/Table.tsx'

export const POSITION_COLUMNS: readonly Column<Position>[] = [
  { key: 'name', header: 'Strategy', narrow: 'start', cell: ({ name }) => name },
  {
    key: 'value',
    header: 'Value',
    align: 'end',
    narrow: 'end',
    cell: (position) => (isClosed(position) ? 'Redeemed' : <Money value={position.value} />),
  },
  {
    key: 'profit',
    header: 'Gain or loss',
    align: 'end',
    narrow: 'short-start',
    label: true,
    cell: (position) => <Money value={computeGain(position)} sign="always" tone="result" />,
  },
  {
    key: 'pending',
    header: 'Pending',
    align: 'end',
    narrow: 'wide-end',
    label: true,
    cell: ({ pendingIn, pendingOut }) => (
      <>
        {pendingIn > 0 && <Money value={pendingIn} />}
        <span>{pendingIn > 0 && ' in'}</span>
        <span>{pendingIn > 0 && pendingOut > 0 && ', '}</span>
        {pendingOut > 0 && <Money value={pendingOut} />}
        <span>{pendingOut > 0 && ' out'}</span>
        <span>{pendingIn === 0 && pendingOut === 0 && 'Nothing'}</span>
      </>
    ),
  },
]

type PositionFigures = Pick<Position, 'units' | 'pendingIn' | 'pendingOut' | 'profit' | 'realised' | 'fees'>

/** Gain or loss in USD of current and redeemed units, after fees. The sum over all positions is the total profit. */
export function computeGain({ profit, realised, fees }: PositionFigures): number {
  return Math.round((profit + realised - (fees ?? 0)) * 100) / 100
}

export function isClosed({ units, pendingIn, pendingOut }: PositionFigures): boolean {
  return units === 0 && pendingIn === 0 && pendingOut === 0
}

/** Open positions first, then redeemed ones. Positions whose orders were all cancelled are left out. */
export function listShownPositions<Row extends PositionFigures>(positions: readonly Row[]): Row[] {
  const open = positions.filter((position) => !isClosed(position))
  return [...open, ...positions.filter((position) => isClosed(position) && computeGain(position) !== 0)]
}

/** "Live prices of Kraken, simulated money (paper trading)", or "Practice market". */
export function describeMarket({ name, real }: TradedMarket): string {
  return real ? `Live prices of ${name}, simulated money (paper trading)` : name
}

/**
 * Positions or strategies in a table of each market, so that none mixes two; live prices come first, since headings are
 * sorted. One table without a heading if all are on the simulated market.
 */
export function MarketTables<Row extends { market: TradedMarket }>({ data, ...props }: TableProps<Row>) {
  if (data.state !== 'ready' || !data.rows.some(({ market }) => market.real))
    return <Table {...props} data={data} />
  const getCaption = ({ market }: Row) => describeMarket(market)
  const captions = [...new Set(data.rows.map(getCaption))].sort()
  return captions.map((caption) => (
    <Table
      key={caption}
      {...props}
      caption={caption}
      captionShown
      data={{ ...data, rows: data.rows.filter((row) => getCaption(row) === caption) }}
    />
  ))
}
