import { useState } from 'react'
import type { TableRows } from '../../../design/Table.tsx'

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
  /** Takes rows that became something else without being decided here. */
  learn: (rows: readonly Row[]) => void
  /** Before the list is loaded again: what comes then is newer. */
  forget: () => void
}

/**
 * Keeps what was decided in the list it was decided from, although it may no longer fit the filter: rows that vanish
 * under one's hands cannot be checked again. Another `list` starts anew.
 */
export function useDecided<Row extends Identified>(data: TableRows<Row>, list: string): Decided<Row> {
  const [kept, setKept] = useState<Kept<Row>>(nothing(list))
  const { rows, here } = kept.list === list ? kept : nothing<Row>(list)
  const take = (taken: readonly Row[], isHere: boolean) =>
    setKept((before) => {
      const { rows, here } = before.list === list ? before : nothing<Row>(list)
      const ids = taken.map(({ _id }) => _id)
      return {
        list,
        rows: new Map([...rows, ...taken.map((row) => [row._id, row] as const)]),
        here: isHere ? new Set([...here, ...ids]) : here,
      }
    })
  return {
    data: data.state === 'ready' ? { ...data, rows: withDecided(data.rows, rows) } : data,
    put: (row) => take([row], true),
    has: (id) => here.has(id),
    learn: (rows) => take(rows, false),
    forget: () => setKept(nothing(list)),
  }
}

interface Kept<Row> {
  list: string
  /** As they now stand. */
  rows: ReadonlyMap<string, Row>
  /** The ids of those that were decided here. */
  here: ReadonlySet<string>
}

function nothing<Row>(list: string): Kept<Row> {
  return { list, rows: new Map(), here: new Set() }
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
