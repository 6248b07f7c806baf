import type * as z from 'zod/mini'
import type { rejectDeposit } from '../../../contract/console/deposits.ts'
import type { Endpoint } from '../../../contract/endpoint.ts'
import type { ApiFailure } from '../../lib/ApiFailure.ts'

/** What every form that decides something gets. */
export interface DecisionProps<Row> {
  row: Row
  /** With the row as it now stands. */
  onDecided: (row: Row) => void
  /** Somebody else was faster, or it is gone: the sentence that says so. */
  onOvertaken: (msg: string) => void
  onCancel: () => void
}

/** An endpoint that takes a reason, and whose answer is the row. */
export type ReasonEndpoint<Row> = Endpoint<
  NonNullable<(typeof rejectDeposit)['body']>,
  z.ZodMiniType<undefined>,
  Row
>

/** Whether trying again makes no sense, because what was looked at is no longer so. */
export function isOvertaken({ code }: Pick<ApiFailure, 'code'>): boolean {
  return code === 'already_decided' || code === 'conflict' || code === 'not_found'
}
