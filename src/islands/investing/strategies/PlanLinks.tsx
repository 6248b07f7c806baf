import { useEffect } from 'react'
import { getUserInfo } from '../../../contract/identity/userInfo.ts'
import { formatUsd } from '../../../contract/money.ts'
import { Money } from '../../../design/Money.tsx'
import { Skeleton } from '../../../design/Skeleton.tsx'
import { useAmountsHidden } from '../../lib/amounts.ts'
import { call } from '../../lib/api.ts'
import { Loaded, Waiting } from '../../lib/Loaded.tsx'
import { useResource } from '../../lib/resource.ts'

/** The query of its call. */
export const AVAILABLE = { fields: 'available' } as const

/** What a plan needs of the balance. `missing` is in dollars; 0 or less if the balance covers it. */
function describeCover(missing: number, fits: boolean, areAmountsHidden: boolean): string {
  if (fits) return 'Fits your balance'
  return missing > 0
    ? `Deposit ${areAmountsHidden ? '' : `${formatUsd(missing)} `}more`
    : 'Your balance covers it'
}

/**
 * The available balance, and where "Invest Now" of the static cards leads: to the strategies if the balance covers the plan,
 * else to the deposit. Until it is loaded, and if it fails, all lead to the deposit.
 */
export function PlanLinks() {
  const resource = useResource('available', () => call(getUserInfo, { query: AVAILABLE }))
  const areAmountsHidden = useAmountsHidden()
  const available = resource.state === 'ready' ? resource.data.available : undefined
  useEffect(() => {
    if (available === undefined) return
    const links = [...document.querySelectorAll<HTMLAnchorElement>('a[data-least]')]
    const getMissing = (link: HTMLAnchorElement) => Number(link.dataset.least) - available
    const fitting = links.findLast((link) => getMissing(link) <= 0)
    for (const link of links) {
      const missing = getMissing(link)
      if (missing <= 0) link.href = '/dashboard/strategies'
      const words = link.parentElement?.querySelector('[data-cover]')
      words?.toggleAttribute('data-fits', link === fitting)
      if (words) words.textContent = describeCover(missing, link === fitting, areAmountsHidden)
    }
  }, [available, areAmountsHidden])
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
          You have{' '}
          <strong>
            <Money value={available} />
          </strong>{' '}
          available.
        </p>
      )}
    </Loaded>
  )
}
