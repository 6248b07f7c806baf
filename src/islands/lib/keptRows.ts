import { useState } from 'react'
import type { TableRows } from '../../design/Table.tsx'

/** A list that is asked another question keeps the rows of the one before, as old, until the answer comes. Of none, and of a failure, nothing is kept. */
export function useKeptRows<Row>(data: TableRows<Row>): TableRows<Row> {
  const [kept, setKept] = useState<readonly Row[] | null>(null)
  const present =
    data.state === 'ready' && data.rows.length > 0 ? data.rows : data.state === 'loading' ? kept : null
  if (present !== kept) setKept(present)
  return data.state === 'loading' && kept !== null ? { state: 'ready', rows: kept, isOld: true } : data
}
