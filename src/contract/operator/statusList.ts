import * as z from 'zod/mini'
import { page } from '../common.ts'
import { statusFilter } from '../transactions.ts'

/** The query of a queue of requests. */
export const statusList = z.object({ ...page, status: statusFilter })
