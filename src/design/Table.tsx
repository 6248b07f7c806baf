import type { ReactNode } from 'react'
import { Button } from './Button.tsx'
import { classes } from './classes.ts'
import { Notice } from './Notice.tsx'
import { Skeleton } from './Skeleton.tsx'
import styles from './Table.module.css'

export interface Column<Row> {
  /** Unique within the table. */
  key: string
  header: string
  /** Money and other numbers stand at the end. */
  align?: 'start' | 'end'
  cell: (row: Row) => ReactNode
}

export type TableRows<Row> =
  | { state: 'loading' }
  | { state: 'ready'; rows: readonly Row[] }
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

/** A table in all four of its states. Four columns or more are stacked row by row where there is no room for them. */
export function Table<Row>(props: TableProps<Row>) {
  const { caption, captionShown = false, columns, data, footer } = props
  const isEmpty = data.state === 'ready' && data.rows.length === 0
  return (
    <div className={styles.frame} aria-busy={data.state === 'loading' || undefined}>
      <table className={classes(styles.table, columns.length > 3 && styles.stacks)} {...asTable}>
        <caption className={captionShown ? styles.caption : 'visually-hidden'}>{caption}</caption>
        <thead {...asRowGroup}>
          <tr {...asRow}>
            {columns.map((column) => (
              <th key={column.key} {...asHeader} scope="col" className={alignment(column)}>
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
      {data.state === 'failed' && <Failure msg={data.msg} onRetry={props.onRetry} />}
      {data.state === 'loading' && (
        <p role="status" className="visually-hidden">
          Loading {caption}
        </p>
      )}
      {footer}
    </div>
  )
}

function Rows<Row>({ columns, data, rowKey, onOpen, skeletonRows = 5 }: TableProps<Row>) {
  switch (data.state) {
    case 'failed':
      return null
    case 'loading':
      return numbersBelow(skeletonRows).map((index) => (
        <tr key={index} {...asRow}>
          {columns.map((column) => (
            <td key={column.key} {...asCell} data-label={column.header} className={alignment(column)}>
              <div className={styles.waits}>
                <Skeleton />
              </div>
            </td>
          ))}
        </tr>
      ))
    case 'ready':
      return data.rows.map((row) => (
        <tr key={rowKey(row)} {...asRow} className={onOpen && styles.opens}>
          {columns.map((column, index) => (
            <td key={column.key} {...asCell} data-label={column.header} className={alignment(column)}>
              <div>
                {onOpen && index === 0 ? (
                  <button
                    type="button"
                    className={styles.open}
                    aria-haspopup="dialog"
                    onClick={() => onOpen(row)}
                  >
                    {column.cell(row)}
                  </button>
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

function Failure({ msg, onRetry }: { msg: string; onRetry: (() => void) | undefined }) {
  return (
    <div className={styles.empty}>
      <Notice
        tone="danger"
        live
        actions={
          onRetry && (
            <Button size="small" onClick={onRetry}>
              Try again
            </Button>
          )
        }
      >
        {msg}
      </Notice>
    </div>
  )
}

function alignment<Row>(column: Column<Row>): string | undefined {
  return column.align === 'end' ? styles.end : undefined
}

function numbersBelow(count: number): readonly number[] {
  return Array.from({ length: count }, (_, index) => index)
}
