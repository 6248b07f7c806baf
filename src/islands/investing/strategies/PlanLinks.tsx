import { useEffect } from 'react'
import { getUserInfo } from '../../../contract/identity/userInfo.ts'
import { formatUsd } from '../../../contract/money.ts'
import { Skeleton } from '../../../design/Skeleton.tsx'
import { call } from '../../lib/api.ts'
import { Loaded, Waiting } from '../../lib/Loaded.tsx'
import { useResource } from '../../lib/resource.ts'

/** The query of its call. */
export const AVAILABLE = { fields: 'available' } as const

/**
 * The available balance, and where "Invest Now" of the static cards leads: to the strategies if the balance covers the plan,
 * else to the deposit. Until it is loaded, and if it fails, all lead to the deposit.
 */
export function PlanLinks() {
  const resource = useResource('available', () => call(getUserInfo, { query: AVAILABLE }))
  const available = resource.state === 'ready' ? resource.data.available : undefined
  useEffect(() => {
    if (available === undefined) return
    for (const link of document.querySelectorAll<HTMLAnchorElement>('a[data-least]')) {
      const missing = Number(link.dataset.least) - available
      if (missing <= 0) link.href = '/dashboard/strategies'
      const words = link.parentElement?.querySelector('[data-cover]')
      if (words)
        words.textContent = missing > 0 ? `Deposit ${formatUsd(missing)} more` : 'Your balance covers it'
    }
  }, [available])
  return (
    <Loaded
      resource={resource}
      waiting={
        <Waiting label="Loading your balance">
          <p>
            <Skeleton width="long" />
          </p>
        </Waiting>
      }
    >
      {({ available = 0 }) => (
        <p>
          You have <strong>{formatUsd(available)}</strong> available.
        </p>
      )}
    </Loaded>
  )
}
