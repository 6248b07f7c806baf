import type { OrderFiled } from '../../../src/contract/investing/allocate.ts'
import { type Answer, created } from '../../http/call.ts'
import { iso } from '../../http/paging.ts'
import { momentOf } from '../../lib/mail/moment.ts'

/** What filing an order answers. `what` names it, at the beginning of a sentence. */
export function filedAnswer(
  { id, ref }: { readonly id: string; readonly ref: string },
  what: string,
  pricedAtMs: number,
): Answer<OrderFiled> {
  return created({
    msg: `${what} is priced on ${momentOf(pricedAtMs)}. Until then you can cancel it.`,
    ref,
    _id: id,
    pricedAt: iso(pricedAtMs),
  })
}
