import type * as z from 'zod/mini'

export interface QueueQuery {
  status: string
  query: string
  format?: 'csv'
  limit?: string
}

/** Every queue's query is `queuePage` of the contract and a status of its own. */
export function queryOf<Q extends z.ZodMiniType>(query: QueueQuery): Omit<z.input<Q>, 'cursor'> {
  return query as unknown as Omit<z.input<Q>, 'cursor'>
}
