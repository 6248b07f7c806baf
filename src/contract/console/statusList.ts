import * as z from 'zod/mini'
import { page } from '../common.ts'
import { statusFilter } from '../money/transactions.ts'
import { optionalText } from '../text.ts'

/** Of every queue: a page of it, what is searched for, and whether all of it is wanted as a file. */
export const queuePage = {
  ...page,
  query: optionalText(120),
  format: z.optional(z.enum(['json', 'csv'], { error: 'format is json or csv' })),
}

/** The query of a queue of requests. */
export const statusList = z.object({ ...queuePage, status: statusFilter })
