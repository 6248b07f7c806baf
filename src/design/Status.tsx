import { Ban, CircleCheck, CircleDashed, CircleX, Clock, Snowflake, TriangleAlert, Undo2 } from 'lucide-react'
import { joinClasses } from './classes.ts'
import styles from './Status.module.css'

export interface StatusProps {
  /** The API's status: pending, approved, completed, rejected, cancelled, reversed; others are shown unchanged. */
  status: string
  /** Replaces the status text: "Waiting for a second operator". */
  label?: string
}

const looks = {
  pending: { Icon: Clock, tone: styles.waiting },
  approved: { Icon: CircleCheck, tone: styles.good },
  completed: { Icon: CircleCheck, tone: styles.good },
  settled: { Icon: CircleCheck, tone: styles.good },
  active: { Icon: CircleCheck, tone: styles.good },
  verified: { Icon: CircleCheck, tone: styles.good },
  credited: { Icon: CircleCheck, tone: styles.good },
  paid: { Icon: CircleCheck, tone: styles.good },
  proposed: { Icon: Clock, tone: styles.waiting },
  caution: { Icon: TriangleAlert, tone: styles.waiting },
  rejected: { Icon: CircleX, tone: styles.bad },
  cancelled: { Icon: Ban, tone: styles.plain },
  retired: { Icon: Ban, tone: styles.plain },
  reversed: { Icon: Undo2, tone: styles.plain },
  suspended: { Icon: Snowflake, tone: styles.bad },
  stopped: { Icon: Ban, tone: styles.bad },
  frozen: { Icon: Snowflake, tone: styles.bad },
} as const

/** A status with icon and text. */
export function Status({ status, label }: StatusProps) {
  const { Icon, tone } = isKnown(status) ? looks[status] : { Icon: CircleDashed, tone: styles.plain }
  return (
    <span className={joinClasses(styles.status, tone)}>
      <Icon aria-hidden="true" size={14} strokeWidth={2.25} />
      <span>{label ?? status.charAt(0).toUpperCase() + status.slice(1)}</span>
    </span>
  )
}

function isKnown(status: string): status is keyof typeof looks {
  return Object.hasOwn(looks, status)
}
