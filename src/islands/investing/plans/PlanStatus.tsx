import type { Plan } from '../../../contract/investing/plans.ts'
import { Status } from '../../../design/Status.tsx'
import styles from './Plans.module.css'

const LABELS = { active: 'Active', paused: 'Paused', ended: 'Ended' } as const

/** Active, or paused or ended and why. */
export function PlanStatus({ plan: { status, reason } }: { plan: Plan }) {
  return (
    <span>
      <Status status={status === 'active' ? 'active' : 'retired'} label={LABELS[status]} />
      {reason !== null && (
        <span className={styles.reason}>
          <bdi>{reason}</bdi>
        </span>
      )}
    </span>
  )
}
