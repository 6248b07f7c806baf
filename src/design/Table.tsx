import type { ReactNode } from 'react'
import { Button } from './Button.tsx'
import { classes } from './classes.ts'
import { LoadFailure } from './Notice.tsx'
import { Skeleton } from './Skeleton.tsx'
import styles from './Table.module.css'

export interface Column<Row> {
  /** Unique within the table. */
  key: string
  header: string
  /** Money and other numbers stand at the end. */
  align?: 'start' | 'end'
  cell: (row: Row) => ReactNode
  /** Lines that it usually takes, so that nothing jumps once they come. */
  lines?: 1 | 2
  /** About how wide it usually is, where that is more than a few words: so that no column moves once its values come. */
  usually?: 'medium' | 'long'
  /**
   * Where it stands in a row of its own shape on a narrow screen: at one side of a line, which the start takes but for
   * what the end needs, or the other way round where it says `wide-end`; or over the whole line. A table whose columns
   * say so needs no label before each value; `label` brings one back for what would not be understood without.
   */
  narrow?: 'start' | 'end' | 'short-start' | 'wide-end' | 'line'
  label?: boolean
}

export type TableRows<Row> =
  | { state: 'loading' }
  /** `isOld`: they are of the question before, and stand dimmed until the answer to the present one comes. */
  | { state: 'ready'; rows: readonly Row[]; isOld?: boolean }
  | { state: 'failed'; msg: string }

export interface TableProps<Row> {
  /** Names the table for screen readers; seen only with `captionShown`. */
  caption: string
  captionShown?: boolean
  columns: readonly Column<Row>[]
  data: TableRows<Row>
  rowKey: (row: Row) => string
  /** Required, so that no list can be blank. */
  emptyText: ReactNode
  /** Gives a failed table its Try again button. */
  onRetry?: () => void
  /** Makes each row open something: its first cell becomes a button whose area is the whole row. */
  onOpen?: (row: Row) => void
  /** Makes each row lead to a page of its own instead: its first cell becomes a link whose area is the whole row. */
  hrefOf?: (row: Row) => string
  /** As many as usually come, so that nothing jumps. */
  skeletonRows?: number
  /** What stands under the rows: a Pagination. */
  footer?: ReactNode
}

// A table whose display is changed for narrow screens loses its roles in some browsers, so they are spelt out.
const asTable = { role: 'table' }
const asRowGroup = { role: 'rowgroup' }
const asRow = { role: 'row' }
const asHeader = { role: 'columnheader' }
const asCell = { role: 'cell' }

/**
 * A table in all four of its states. Where there is no room for four columns or more, their rows are stacked: each value
 * under its label, or in the shape that the columns give it.
 */
export function Table<Row>(props: TableProps<Row>) {
  const { caption, captionShown = false, columns, data, footer } = props
  const isEmpty = data.state === 'ready' && data.rows.length === 0
  const isOld = data.state === 'ready' && data.isOld === true
  return (
    <div
      className={classes(styles.frame, isOld && styles.old)}
      aria-busy={data.state === 'loading' || isOld || undefined}
    >
      <table className={classes(styles.table, shapeOf(columns))} {...asTable}>
        <caption className={captionShown ? styles.caption : 'visually-hidden'}>{caption}</caption>
        <thead {...asRowGroup}>
          <tr {...asRow}>
            {columns.map((column) => (
              <th key={column.key} {...asHeader} scope="col" className={placeOf(column)}>
                {column.header}
              </th>
            ))}
          </tr>
        </thead>
        <tbody {...asRowGroup}>
          <Rows {...props} />
        </tbody>
      </table>
      {isEmpty && <div className={styles.empty}>{props.emptyText}</div>}
      {data.state === 'failed' && (
        <div className={styles.empty}>
          <LoadFailure msg={data.msg} onRetry={props.onRetry} />
        </div>
      )}
      {data.state === 'loading' && (
        <p role="status" className="visually-hidden">
          Loading {caption}
        </p>
      )}
      {footer}
    </div>
  )
}

function Rows<Row>({ columns, data, rowKey, onOpen, hrefOf, skeletonRows = 5 }: TableProps<Row>) {
  switch (data.state) {
    case 'failed':
      return null
    case 'loading':
      return Array.from({ length: skeletonRows }, (_, index) => index).map((index) => (
        <tr key={index} {...asRow}>
          {columns.map((column) => (
            <td key={column.key} {...asCell} data-label={column.header} className={placeOf(column)}>
              <div className={classes(styles.waits, column.usually && styles[column.usually])}>
                <Skeleton />
                {column.lines === 2 && (
                  <div className={styles.second}>
                    <Skeleton width="long" />
                  </div>
                )}
              </div>
            </td>
          ))}
        </tr>
      ))
    case 'ready':
      return data.rows.map((row) => (
        <tr key={rowKey(row)} {...asRow} className={(onOpen ?? hrefOf) && styles.opens}>
          {columns.map((column, index) => (
            <td key={column.key} {...asCell} data-label={column.header} className={placeOf(column)}>
              <div>
                {onOpen && index === 0 ? (
                  <button
                    type="button"
                    className={styles.open}
                    aria-haspopup="dialog"
                    data-row={rowKey(row)}
                    onClick={() => onOpen(row)}
                  >
                    {column.cell(row)}
                  </button>
                ) : hrefOf && index === 0 ? (
                  <a href={hrefOf(row)} className={styles.open}>
                    {column.cell(row)}
                  </a>
                ) : (
                  column.cell(row)
                )}
              </div>
            </td>
          ))}
        </tr>
      ))
  }
}

function shapeOf<Row>(columns: readonly Column<Row>[]): string | false | undefined {
  if (columns.some(({ narrow }) => narrow !== undefined)) return styles.shaped
  return columns.length > 3 && styles.stacks
}

const NARROW = {
  start: styles.atStart,
  end: styles.atEnd,
  'short-start': styles.atShortStart,
  'wide-end': styles.atWideEnd,
  line: styles.wholeLine,
}

function placeOf<Row>({ align, narrow, label }: Column<Row>): string | undefined {
  const classNames = classes(
    align === 'end' && styles.end,
    narrow && NARROW[narrow],
    label && styles.labelled,
  )
  return classNames || undefined
}

/** Adds the next page under the last one, so that rows already read stay in place. */
export function Pagination(props: { hasMore: boolean; pending: boolean; onMore: () => void }) {
  if (!props.hasMore) return null
  return (
    <div className={styles.pagination}>
      <Button busy={props.pending} onClick={props.onMore}>
        Show more
      </Button>
    </div>
  )
}
