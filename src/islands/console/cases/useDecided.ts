import { useState } from 'react'
import type { TableRows } from '../../../design/Table.tsx'

/**
 * Keeps decided rows in the list, even if they no longer match the filter, so that operators can review them. A change of
 * `list` forgets them.
 */
export function useDecided<Row extends { _id: string }>(data: TableRows<Row>, list: string) {
  const [kept, setKept] = useState<DecidedRows<Row>>(createDecidedRows(list))
  const { rows, here } = kept.list === list ? kept : createDecidedRows<Row>(list)
  const add = (added: readonly Row[], isHere: boolean) =>
    setKept((before) => {
      const { rows, here } = before.list === list ? before : createDecidedRows<Row>(list)
      return {
        list,
        rows: new Map([...rows, ...added.map((row) => [row._id, row] as const)]),
        here: isHere ? new Set([...here, ...added.map(({ _id }) => _id)]) : here,
      }
    })
  return {
    /** The loaded list with the newest version of each row. */
    data: data.state === 'ready' ? { ...data, rows: withDecided(data.rows, rows) } : data,
    put: (row: Row) => add([row], true),
    /** Whether a row was decided here since the list was loaded. */
    has: (id: string) => here.has(id),
    /** Replaces rows that changed, but were not decided here. */
    update: (rows: readonly Row[]) => add(rows, false),
    /** Call before reloading the list: the reloaded rows are newer. */
    forget: () => setKept(createDecidedRows(list)),
  }
}

interface DecidedRows<Row> {
  list: string
  rows: ReadonlyMap<string, Row>
  /** The ids of the rows that were decided here. */
  here: ReadonlySet<string>
}

function createDecidedRows<Row>(list: string): DecidedRows<Row> {
  return { list, rows: new Map(), here: new Set() }
}

export function withDecided<Row extends { _id: string }>(
  rows: readonly Row[],
  decided: ReadonlyMap<string, Row>,
): readonly Row[] {
  return rows.map((row) => decided.get(row._id) ?? row)
}

/** The next pending row below `id`, then from the top; undefined when none is pending. */
export function findNextPending<Row extends { _id: string }>(
  rows: readonly Row[],
  id: string,
  isPending: (row: Row) => boolean,
): Row | undefined {
  const index = rows.findIndex((row) => row._id === id)
  return [...rows.slice(index + 1), ...rows.slice(0, Math.max(index, 0))].find(isPending)
}
