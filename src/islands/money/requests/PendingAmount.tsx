import type { Limits } from '../../../contract/money/limits.ts'
import { Money } from '../../../design/Money.tsx'
import type { Queue } from './limits.ts'

/** The sum of the open requests, for the hint of an amount. Renders null without any. */
export function PendingAmount({ limits, queue }: { limits: Limits | null; queue: Queue }) {
  const { open, pending } = limits?.[queue] ?? { open: 0, pending: 0 }
  if (pending === 0) return null
  const amount = <Money value={pending} />
  if (queue === 'withdrawals')
    return (
      <span>
        {amount} is held for <span>{open === 1 ? 'an open withdrawal' : `${open} open withdrawals`}</span>.{' '}
      </span>
    )
  return open === 1 ? (
    <span>An open deposit of {amount} is not credited yet. </span>
  ) : (
    <span>
      {open} open deposits, {amount} in all, are not credited yet.{' '}
    </span>
  )
}
