import { useState } from 'react'
import type * as z from 'zod/mini'
import type { TableRows } from '../../../design/Table.tsx'
import { callPage } from '../../lib/api.ts'
import { queryOf } from './queueQuery.ts'
import type { Identified } from './useDecided.ts'
import type { QueueOf } from './useQueue.ts'
import { useLookAgain } from './useWaiting.ts'

/** A row of a queue, newest first. */
export interface Listed extends Identified {
  createdAt: string
}

interface Watched<Q extends z.ZodMiniType, Row> {
  kind: QueueOf<Q, Row>
  asked: { status: string; query: string }
  /** As loaded: what came in since is counted from there. */
  data: TableRows<Row>
  /** As shown. */
  rows: readonly Row[]
  /** Told which of the rows became something else meanwhile. */
  learn: (rows: readonly Row[]) => void
}

/**
 * How many rows have come in since the list was loaded, and what looks for it at once. The list itself stays as it is, so that nothing moves under
 * one's hands, but for the rows that others have decided meanwhile: those say so.
 */
export function useArrivals<Q extends z.ZodMiniType, Row extends Listed>({
  kind,
  asked,
  data,
  rows,
  learn,
}: Watched<Q, Row>): { arrived: number; look: () => Promise<void> } {
  const { endpoint, waits } = kind
  const [found, setFound] = useState<{ since: unknown; count: number }>({ since: null, count: 0 })
  const loaded = data.state === 'ready' ? data.rows : null
  const pageOf = (status: string) =>
    callPage(endpoint, { query: queryOf<Q>({ ...asked, status, limit: '100' }) as z.input<Q> })
  const look = async () => {
    if (loaded === null) return
    try {
      const now = await pageOf(asked.status)
      const isWaiting = (row: Row) => waits(row, asked.status)
      const { arrived, changed, gone } = compared(rows, now.rows, now.nextCursor === null, isWaiting)
      setFound({ since: loaded, count: arrived })
      const ids = new Set(gone.map(({ _id }) => _id))
      const others = ids.size === 0 ? [] : (await pageOf('')).rows.filter(({ _id }) => ids.has(_id))
      if (changed.length + others.length > 0) learn([...changed, ...others])
    } catch {
      // The list stands as it was, and can be loaded anew.
    }
  }
  useLookAgain(look)
  return { arrived: found.since === loaded ? found.count : 0, look }
}

/**
 * What a list that is shown lacks, against its newest page: how many have come in and wait, which rows are otherwise by
 * now, and which waited and are gone from it. A row older than that page says nothing.
 */
export function compared<Row extends Listed>(
  shown: readonly Row[],
  newest: readonly Row[],
  isAll: boolean,
  waits: (row: Row) => boolean,
): { arrived: number; changed: Row[]; gone: Row[] } {
  const known = new Map(shown.map((row) => [row._id, row]))
  const now = new Set(newest.map(({ _id }) => _id))
  const oldest = isAll ? '' : (newest.at(-1)?.createdAt ?? '')
  return {
    arrived: newest.filter((row) => !known.has(row._id) && waits(row)).length,
    changed: newest.filter((row) => {
      const before = known.get(row._id)
      return before !== undefined && JSON.stringify(before) !== JSON.stringify(row)
    }),
    gone: shown.filter((row) => waits(row) && !now.has(row._id) && row.createdAt > oldest),
  }
}
