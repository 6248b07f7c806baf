import { type ReactNode, useEffect, useRef } from 'react'
import { Button } from './Button.tsx'
import { joinClasses } from './classes.ts'
import { LoadFailure } from './Notice.tsx'
import { Skeleton } from './Skeleton.tsx'
import styles from './Table.module.css'

export interface Column<Row> {
  /** Unique within the table. */
  key: string
  header: string
  /** Money and other numbers align at the end. */
  align?: 'start' | 'end'
  cell: (row: Row) => ReactNode
  /** Stands under the cell, outside of the button or link that opens the row. */
  below?: (row: Row) => ReactNode
  /** The usual number of lines, so that the skeleton has the final height. */
  lines?: 1 | 2
  /** The usual width if longer than a few words, so that columns do not move after loading. */
  usually?: 'medium' | 'long'
  /**
   * The column's place on narrow screens: at the start or end of a shared line (`short-start` and `wide-end` give the
   * end more room), or on its own line. Such tables show no labels, except for columns with `label`.
   */
  narrow?: 'start' | 'end' | 'short-start' | 'wide-end' | 'line'
  label?: boolean
}

export type TableRows<Row> =
  | { state: 'loading' }
  /** `isOld`: rows of the previous query, dimmed until the new ones arrive. */
  | { state: 'ready'; rows: readonly Row[]; isOld?: boolean }
  | { state: 'failed'; msg: string }

export interface TableProps<Row> {
  /** Names the table for screen readers; visible only with `captionShown`. */
  caption: string
  captionShown?: boolean
  columns: readonly Column<Row>[]
  data: TableRows<Row>
  rowKey: (row: Row) => string
  emptyText: ReactNode
  /** Adds a Try again button to a failed table. */
  onRetry?: () => void
  /** Makes each row clickable: its first cell becomes a button that covers the row. */
  onOpen?: (row: Row) => void
  /** Makes each row a link: its first cell becomes a link that covers the row. */
  hrefOf?: (row: Row) => string
  /** The usual number of rows, so that the layout does not shift. */
  skeletonRows?: number
  footer?: ReactNode
}

// Some browsers drop a table's roles if its display is changed for narrow screens, so the roles are explicit.
const asTable = { role: 'table' }
const asRowGroup = { role: 'rowgroup' }
const asRow = { role: 'row' }
const asHeader = { role: 'columnheader' }
const asCell = { role: 'cell' }

/**
 * A table with its loading, empty, failed and ready states. On narrow screens, rows of four columns or more are
 * stacked: each value under its label, or as the columns' `narrow` says.
 */
export function Table<Row>(props: TableProps<Row>) {
  const { caption, captionShown = false, columns, data, footer } = props
  const isEmpty = data.state === 'ready' && data.rows.length === 0
  const isOld = data.state === 'ready' && data.isOld === true
  return (
    <div
      className={joinClasses(styles.frame, isOld && styles.old)}
      aria-busy={data.state === 'loading' || isOld || undefined}
    >
      <Scroller label={caption}>
        <table className={joinClasses(styles.table, getShapeClass(columns))} {...asTable}>
          <caption className={captionShown ? styles.caption : 'visually-hidden'}>{caption}</caption>
          <thead {...asRowGroup}>
            <tr {...asRow}>
              {columns.map((column) => (
                <th key={column.key} {...asHeader} scope="col" className={getCellClass(column)}>
                  {column.header}
                </th>
              ))}
            </tr>
          </thead>
          <tbody {...asRowGroup}>
            <Rows {...props} />
          </tbody>
        </table>
      </Scroller>
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

/** Holds a table that may be wider than the screen. The keyboard reaches it while it scrolls. */
function Scroller({ label, children }: { label: string; children: ReactNode }) {
  const place = useRef<HTMLDivElement>(null)
  useEffect(() => {
    const { current } = place
    if (current === null) return
    const attributes = { tabindex: '0', role: 'region', 'aria-label': `${label}, scrolls` }
    // Without React, so that no frame shows a table that scrolls and cannot be reached.
    const observer = new ResizeObserver(() => {
      const isWide = current.scrollWidth > current.clientWidth
      for (const [name, value] of Object.entries(attributes))
        if (isWide) current.setAttribute(name, value)
        else current.removeAttribute(name)
    })
    for (const element of [current, ...current.children]) observer.observe(element)
    return () => observer.disconnect()
  }, [label])
  return (
    <div ref={place} className={styles.scroller}>
      {children}
    </div>
  )
}

function Rows<Row>({ columns, data, rowKey, onOpen, hrefOf, skeletonRows = 5 }: TableProps<Row>) {
  switch (data.state) {
    case 'failed':
      return null
    case 'loading':
      return Array.from({ length: skeletonRows }, (_, index) => index).map((index) => (
        <tr key={`waits-${index}`} {...asRow}>
          {columns.map((column) => (
            <td key={column.key} {...asCell} data-label={column.header} className={getCellClass(column)}>
              <div className={joinClasses(styles.waits, column.usually && styles[column.usually])}>
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
            <td key={column.key} {...asCell} data-label={column.header} className={getCellClass(column)}>
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
                  <a href={hrefOf(row)} className={styles.open} data-row={rowKey(row)}>
                    {column.cell(row)}
                  </a>
                ) : (
                  column.cell(row)
                )}
                {column.below?.(row)}
              </div>
            </td>
          ))}
        </tr>
      ))
  }
}

function getShapeClass<Row>(columns: readonly Column<Row>[]): string | false | undefined {
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

function getCellClass<Row>({ align, narrow, label }: Column<Row>): string | undefined {
  const classNames = joinClasses(
    align === 'end' && styles.end,
    narrow && NARROW[narrow],
    label && styles.labelled,
  )
  return classNames || undefined
}

/** Loads the next page below, so that rows already read stay in place. */
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
