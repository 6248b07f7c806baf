import { joinClasses } from '../../../design/classes.ts'
import { formatAge } from './age.ts'
import styles from './cases.module.css'

interface CaseAgeProps {
  createdAt: string
  /** When it should be done; null if it has no target, for example on hold. */
  dueAt: string | null
  nowMs: number
}

/** How long a case waits. Red once it is overdue. */
export function CaseAge({ createdAt, dueAt, nowMs }: CaseAgeProps) {
  const isOverdue = dueAt !== null && Date.parse(dueAt) <= nowMs
  return (
    <span className={joinClasses(styles.noWrap, isOverdue && styles.overdue)}>
      <span>{formatAge(createdAt, nowMs)}</span>
      {isOverdue && <span> · overdue</span>}
    </span>
  )
}
