import { type RefObject, useRef } from 'react'
import type { AssignEndpoint } from '../../../contract/console/assignments.ts'
import { ASSIGNMENT_HOURS, type Assignment } from '../../../contract/console/cases.ts'
import type { OperatorScope } from '../../../contract/roles.ts'
import { Button } from '../../../design/Button.tsx'
import { DateTime } from '../../../design/DateTime.tsx'
import { Notice } from '../../../design/Notice.tsx'
import { useAction } from '../../lib/action.ts'
import { call } from '../../lib/api.ts'
import { getServerNow } from '../../lib/serverTime.ts'
import { describeAssignment } from './assignedWords.ts'
import styles from './cases.module.css'
import { KeyHint, useShortcuts } from './shortcuts.tsx'
import { useOperator } from './useOperator.ts'

/** How cases of a kind are taken and given back. */
export interface AssignmentKind {
  assign: AssignEndpoint
  unassign: AssignEndpoint
  scope: OperatorScope
}

interface CaseAssignmentProps {
  id: string
  kind: AssignmentKind
  assigned: Assignment | null
  onChanged: (assigned: Assignment | null) => void
  /** Called when the case was decided, or another operator took it first. */
  onOvertaken: () => void
}

/** Who has an open case, and a button to take it or give it back. A warning at most: everybody can still decide. */
export function CaseAssignment({ id, kind, assigned, onChanged, onOvertaken }: CaseAssignmentProps) {
  const { me, can } = useOperator()
  const place = useRef<HTMLDivElement>(null)
  const isMine = assigned !== null && assigned._id === me?._id
  const { busy, start } = useAction(async () => {
    try {
      onChanged((await call(isMine ? kind.unassign : kind.assign, { params: { id } })).assigned)
    } catch (error) {
      onOvertaken()
      throw error
    }
  })
  const mayChange = can(kind.scope) && (assigned === null || isMine)
  useShortcuts(mayChange && !busy ? { m: start } : {}, place as RefObject<HTMLElement | null>)
  if (assigned !== null && !isMine)
    return (
      <Notice tone="caution" title={describeAssignment(assigned, me, getServerNow())}>
        You can still decide this case. Ask <bdi>{assigned.name}</bdi> first, so that you do not both work on
        it.
      </Notice>
    )
  return (
    <div ref={place} className={styles.assignment}>
      <span>
        {assigned === null ? (
          'Not assigned'
        ) : (
          <span>
            {describeAssignment(assigned, me, getServerNow())}.{' '}
            <span className="soft">
              Until <DateTime at={assigned.until} />, or until somebody decides.
            </span>
          </span>
        )}
      </span>
      {mayChange && (
        <Button
          size="small"
          busy={busy}
          aria-keyshortcuts="m"
          title={isMine ? undefined : `For ${ASSIGNMENT_HOURS} hours. Others see it, and can still decide.`}
          onClick={start}
        >
          <span>{isMine ? 'Give back' : 'Assign to me'}</span>
          <KeyHint of="M" />
        </Button>
      )}
    </div>
  )
}
