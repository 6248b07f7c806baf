import { useState } from 'react'
import { listOperatorGaps } from '../../../contract/console/strategies.ts'
import {
  buildGapLines,
  computeGapScale,
  drawGapBars,
  formatBasisPoints,
  GAP_PARTS,
  GAP_WORDS,
  type GapDay,
  type GapLine,
} from '../../../contract/investing/gapParts.ts'
import { formatUsd } from '../../../contract/money.ts'
import { LoadFailure } from '../../../design/Notice.tsx'
import { Skeleton } from '../../../design/Skeleton.tsx'
import { type Column, Table } from '../../../design/Table.tsx'
import styles from '../../investing/gaps/GapBars.module.css'
import { call } from '../../lib/api.ts'
import { useResource } from '../../lib/resource.ts'
import { NoWrap } from '../cases/columns.tsx'

const DAYS = '90'

/** Live minus test of a strategy's newest days, for a unit and for its pool. */
export function Gaps({ strategy }: { strategy: string }) {
  const gaps = useResource(`gaps ${strategy}`, () =>
    call(listOperatorGaps, { params: { id: strategy }, query: { limit: DAYS } }),
  )
  if (gaps.state === 'failed') return <LoadFailure msg={gaps.msg} onRetry={gaps.reload} />
  if (gaps.state === 'loading') return <Skeleton width="full" height="block" />
  const newest = gaps.data
  const pools = newest.flatMap(({ _id, pool }) => (pool === null ? [] : [{ _id, ...pool }]))
  if (newest.length === 0) return <p>No day has been explained yet. The first one appears after its close.</p>
  return (
    <>
      <p>
        In basis points of the day’s money. A unit’s price follows the rules. What the pool itself earned less
        than its test is paid by its reserve first, and then lowers the price in whole basis points.
        <span>
          {pools[0] !== undefined && ` On ${pools[0]._id} the pool worked with ${formatUsd(pools[0].base)}.`}
        </span>
      </p>
      <Lines title="The pool: live minus test" days={pools.toReversed()} />
      <Lines title="A unit: live minus test" days={newest.toReversed()} />
      {pools.length === 0 ? (
        <p>The pool was empty on these days.</p>
      ) : (
        <Days title="The pool, day by day" rows={newest.map(({ _id, pool }) => buildGapRow(_id, pool))} />
      )}
      <Days title="A unit, day by day" rows={newest.map((day) => buildGapRow(day._id, day))} />
      <details>
        <summary>What the parts mean</summary>
        <dl>
          {GAP_PARTS.map((part) => (
            <div key={part}>
              <dt>{GAP_WORDS[part][0]}</dt>
              <dd>{GAP_WORDS[part][1]}</dd>
            </div>
          ))}
        </dl>
      </details>
    </>
  )
}

/** Small bars for each part, all on one scale, with the total of the days. */
function Lines({ title, days }: { title: string; days: readonly GapDay[] }) {
  if (days.length === 0) return null
  const lines = buildGapLines(days)
  const scale = computeGapScale(lines)
  return (
    <figure className={styles.figure} aria-label={title}>
      <p>
        <strong>{title}</strong>, <span>{days.length === 1 ? '1 day' : `${days.length} days`}</span>. A full
        bar is {scale.toFixed(scale < 10 ? 1 : 0)} basis points. On the right, all days added up.
      </p>
      <ul className={styles.lines}>
        {lines.map((line) => (
          <li key={line.name}>
            <span>{line.name}</span>
            <Bars line={line} scale={scale} />
            <span>{formatBasisPoints(line.total)}</span>
          </li>
        ))}
      </ul>
    </figure>
  )
}

function Bars({ line, scale }: { line: GapLine; scale: number }) {
  const { gains, losses } = drawGapBars(line, scale)
  const width = line.values.length
  return (
    <svg className={styles.bars} viewBox={`0 0 ${width} 2`} preserveAspectRatio="none" aria-hidden="true">
      <path className={styles.zero} d={`M0 1H${width}`} />
      <path className={styles.gains} d={gains} />
      <path className={styles.losses} d={losses} />
    </svg>
  )
}

interface Row {
  readonly day: string
  /** Null for an empty pool. */
  readonly cells: readonly string[] | null
}

// Short, because a dialog has room for nine columns.
const HEADERS = [
  'Difference',
  ...GAP_PARTS.map((part) => (part === 'missed' ? 'Missed' : GAP_WORDS[part][0])),
]

function buildGapRow(day: string, gap: GapDay | null): Row {
  const cells = gap && [gap.difference, ...GAP_PARTS.map((part) => gap.parts[part])].map(formatBasisPoints)
  return { day, cells }
}

/** A table, rendered once opened. */
function Days({ title, rows }: { title: string; rows: readonly Row[] }) {
  const [isOpen, setOpen] = useState(false)
  const columns: Column<Row>[] = [
    { key: 'day', header: 'Day', cell: ({ day }) => <NoWrap>{day}</NoWrap> },
    ...HEADERS.map(
      (header, n): Column<Row> => ({
        key: header,
        header,
        align: 'end',
        cell: ({ cells }) => cells?.[n] ?? (n === 0 ? 'Empty' : '–'),
      }),
    ),
  ]
  return (
    <details onToggle={({ currentTarget }) => setOpen(currentTarget.open)}>
      <summary>{title}</summary>
      {isOpen && (
        <Table
          caption={`${title}, in basis points`}
          columns={columns}
          data={{ state: 'ready', rows }}
          rowKey={({ day }) => day}
          emptyText="No day has closed yet."
        />
      )}
    </details>
  )
}
