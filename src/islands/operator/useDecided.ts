import { useState } from 'react'
import type { TableRows } from '../../design/Table.tsx'

export interface Identified {
  _id: string
}

export interface Decided<Row> {
  /** The list as loaded, with the rows that were decided here as they now stand. */
  data: TableRows<Row>
  /** Takes the row that a decision answered. */
  put: (row: Row) => void
  /** Whether a row was decided here since the list was loaded. */
  has: (id: string) => boolean
  /** Before the list is loaded again: what comes then is newer. */
  forget: () => void
}

/**
 * Keeps what was decided in the list it was decided from, although it may no longer fit the filter: rows that vanish
 * under one's hands cannot be checked again. Another `list` starts anew.
 */
export function useDecided<Row extends Identified>(data: TableRows<Row>, list: string): Decided<Row> {
  const [kept, setKept] = useState<Kept<Row>>({ list, rows: new Map() })
  const decided: Kept<Row>['rows'] = kept.list === list ? kept.rows : new Map()
  return {
    data: data.state === 'ready' ? { state: 'ready', rows: withDecided(data.rows, decided) } : data,
    put: (row) =>
      setKept((before) => ({
        list,
        rows: new Map(before.list === list ? before.rows : []).set(row._id, row),
      })),
    has: (id) => decided.has(id),
    forget: () => setKept({ list, rows: new Map() }),
  }
}

interface Kept<Row> {
  list: string
  rows: ReadonlyMap<string, Row>
}

export function withDecided<Row extends Identified>(
  rows: readonly Row[],
  decided: ReadonlyMap<string, Row>,
): readonly Row[] {
  return rows.map((row) => decided.get(row._id) ?? row)
}

/** The row to go on with: the next one below `id` that still waits, then from the top. Undefined when none does. */
export function nextWaiting<Row extends Identified>(
  rows: readonly Row[],
  id: string,
  waits: (row: Row) => boolean,
): Row | undefined {
  const index = rows.findIndex((row) => row._id === id)
  return [...rows.slice(index + 1), ...rows.slice(0, Math.max(index, 0))].find(waits)
}
