import type { OperatorOverview } from '../../../contract/console/overview.ts'
import { DateTime } from '../../../design/DateTime.tsx'
import { Facts } from '../../../design/Facts.tsx'
import { Money } from '../../../design/Money.tsx'
import { Notice } from '../../../design/Notice.tsx'
import { Panel } from '../../../design/Panel.tsx'
import { Skeleton } from '../../../design/Skeleton.tsx'

/** The ledger's trial balance. Undefined while it loads. */
export function Books({ overview }: { overview: OperatorOverview | undefined }) {
  const trialBalance = overview?.trialBalance
  return (
    <Panel title="Trial balance of the ledger">
      {overview === undefined || trialBalance === undefined ? (
        <Skeleton width="full" height="block" />
      ) : (
        <>
          <Facts
            facts={[
              { label: 'Debits', value: <Money value={trialBalance.debits} /> },
              { label: 'Credits', value: <Money value={trialBalance.credits} /> },
            ]}
          />
          <p className="small soft">
            As of <DateTime at={overview.booksAt} />.
          </p>
          {trialBalance.balanced ? (
            <Notice tone="success">The books balance.</Notice>
          ) : (
            <Notice tone="danger" title="The books do not balance">
              Decide nothing about money until it is known why.
            </Notice>
          )}
        </>
      )}
    </Panel>
  )
}
