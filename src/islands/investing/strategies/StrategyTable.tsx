import { type ReactNode, useState } from 'react'
import type { Position } from '../../../contract/investing/allocations.ts'
import type { Strategy } from '../../../contract/investing/strategies.ts'
import { Button } from '../../../design/Button.tsx'
import { Modal } from '../../../design/Modal.tsx'
import { Money } from '../../../design/Money.tsx'
import { Status } from '../../../design/Status.tsx'
import type { Column, TableRows } from '../../../design/Table.tsx'
import { EvidenceMark, EvidenceMeanings } from '../EvidenceMark.tsx'
import { Comparison } from './Comparison.tsx'
import { computeGain, listShownPositions, MarketTables } from './positions.tsx'
import styles from './Strategies.module.css'
import { FIGURE_COLUMNS } from './strategyColumns.tsx'
import { buildTestPaths } from './testPaths.ts'
import { describeTestedPeriods, ORDERS } from './words.ts'

/** At most this many curves fit into one picture. */
const MOST = 3

interface StrategyTableProps {
  data: TableRows<Strategy>
  positions: readonly Position[]
  onOpen: (strategy: Strategy) => void
}

/** All strategies with the figures of their tests. Up to three can be compared. */
export function StrategyTable({ data, positions, onOpen }: StrategyTableProps): ReactNode {
  const [sorted, sort] = useState(0)
  const [slugs, setSlugs] = useState<readonly string[]>([])
  const [isComparing, setComparing] = useState(false)
  const order = ORDERS[sorted] ?? ORDERS[0]
  const strategies = data.state === 'ready' ? data.rows : []
  const chosen = slugs.flatMap((slug) => strategies.filter((strategy) => strategy.slug === slug))
  const owned = listShownPositions(positions)
  const columns: Column<Strategy>[] = [
    {
      key: 'name',
      header: 'Strategy',
      narrow: 'start',
      lines: 2,
      cell: ({ name }) => <span className={styles.name}>{name}</span>,
      below: (strategy) => (
        <About strategy={strategy} position={owned.find((position) => position.strategy === strategy.slug)} />
      ),
    },
    {
      key: 'evidence',
      header: 'Evidence',
      narrow: 'end',
      cell: ({ backtest }) => (
        <span className={styles.lifted}>
          {backtest === null ? 'Not tested' : <EvidenceMark level={backtest.verdict.level} />}
        </span>
      ),
    },
    ...FIGURE_COLUMNS,
    {
      key: 'curve',
      header: 'Value and falls',
      narrow: 'line',
      cell: (strategy) =>
        strategy.backtest && (
          <div className={styles.curveCell}>
            <Spark strategy={strategy} />
            <label className={styles.lifted}>
              <input
                type="checkbox"
                aria-label={`Compare ${strategy.name}`}
                checked={slugs.includes(strategy.slug)}
                disabled={!slugs.includes(strategy.slug) && !canJoin(strategy, chosen)}
                onChange={({ target }) =>
                  setSlugs((before) =>
                    target.checked
                      ? [...before, strategy.slug]
                      : before.filter((slug) => slug !== strategy.slug),
                  )
                }
              />{' '}
              Compare
            </label>
          </div>
        ),
    },
  ]
  return (
    <>
      <div className={styles.above}>
        <p className="soft small">
          {data.state === 'ready' && <span>{describeTestedPeriods(strategies)} </span>}
          {data.state === 'ready' && !strategies.some(({ market }) => market.real) && (
            <a href="/strategies">Tests on real coins</a>
          )}
        </p>
        <label className={styles.sort}>
          <span>Sort by</span>{' '}
          <select value={sorted} onChange={({ target }) => sort(Number(target.value))}>
            {ORDERS.map(({ label }, index) => (
              <option key={label} value={index}>
                {label}
              </option>
            ))}
          </select>
        </label>
      </div>
      <div className={styles.list}>
        <MarketTables
          caption={`All strategies, sorted by ${order.label.toLowerCase()}`}
          columns={columns}
          data={data.state === 'ready' ? { ...data, rows: strategies.toSorted(order.compare) } : data}
          rowKey={({ _id }) => _id}
          skeletonRows={8}
          emptyText="No strategy is open. Your money stays cash, and you can withdraw it."
          onOpen={onOpen}
        />
      </div>
      <div className={styles.bar} hidden={chosen.length === 0}>
        <span role="status">
          {chosen.length === 1
            ? '1 chosen. Choose another.'
            : chosen.length === MOST
              ? `${MOST} chosen, the most`
              : `${chosen.length} chosen`}
        </span>
        {chosen.length > 1 && (
          <Button variant="primary" size="small" onClick={() => setComparing(true)}>
            Compare
          </Button>
        )}
      </div>
      <Modal open={isComparing} onClose={() => setComparing(false)} title="Side by side" size="wide">
        <Comparison strategies={chosen} />
      </Modal>
      <EvidenceMeanings />
    </>
  )
}

/** Tests on different markets say nothing about each other. */
function canJoin({ market }: Strategy, chosen: readonly Strategy[]): boolean {
  return chosen.length < MOST && chosen.every((other) => other.market.id === market.id)
}

function About({ strategy, position }: { strategy: Strategy; position: Position | undefined }) {
  return (
    <div className={styles.does}>
      <p>{strategy.does}</p>
      {strategy.status !== 'active' && <Status status={strategy.status} />}
      {position && <OwnPart position={position} />}
    </div>
  )
}

/** What the investor has in it, or had. */
function OwnPart({ position }: { position: Position }) {
  const { value, units, pendingIn, stop } = position
  const gain = computeGain(position)
  return (
    <p className={styles.own}>
      {units > 0 && (
        <span>
          You have <Money value={value} />{' '}
        </span>
      )}
      {pendingIn > 0 && (
        <span>
          <Money value={pendingIn} /> waits for its price.{' '}
        </span>
      )}
      {gain !== 0 && (
        <span>
          <span className={units > 0 ? 'visually-hidden' : undefined}>Gain or loss: </span>
          <Money value={gain} sign="always" tone="result" />{' '}
        </span>
      )}
      {stop !== null && (
        <span>
          Stop at <Money value={stop.price} /> a unit
        </span>
      )}
    </p>
  )
}

/** The worth of its test on a logarithmic scale, and its falls below. The figures beside it say the same. */
function Spark({ strategy }: { strategy: Strategy }) {
  const { spark } = buildTestPaths(strategy)
  return (
    <svg className={styles.spark} viewBox="0 0 240 40" preserveAspectRatio="none" aria-hidden="true">
      <use className={styles.falls} href={`${spark}-falls`} />
      <use className={styles.worth} href={`${spark}-worth`} />
    </svg>
  )
}
