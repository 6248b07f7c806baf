import { joinClasses } from '../../../design/classes.ts'
import { formatAge, formatDue } from './age.ts'
import styles from './cases.module.css'

interface CaseAgeProps {
  createdAt: string
  /** When it should be done; null if it has no target, for example on hold. */
  dueAt: string | null
  nowMs: number
}

/** How much time is left for a case, red once it is overdue. Without a target, how long it waits. */
export function CaseAge({ createdAt, dueAt, nowMs }: CaseAgeProps) {
  const isOverdue = dueAt !== null && Date.parse(dueAt) <= nowMs
  return (
    <span className={joinClasses(styles.noWrap, isOverdue && styles.overdue)}>
      {dueAt === null ? formatAge(createdAt, nowMs) : formatDue(dueAt, nowMs)}
    </span>
  )
}
