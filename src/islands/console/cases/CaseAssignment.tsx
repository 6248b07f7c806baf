import { type RefObject, useRef } from 'react'
import { ASSIGNMENT_HOURS, type Assignment } from '../../../contract/console/cases.ts'
import { getWorkKind, type WorkKind } from '../../../contract/console/work.ts'
import { assignCase, listColleagues } from '../../../contract/console/workItems.ts'
import { type OperatorScope, ROLES_OF } from '../../../contract/roles.ts'
import { Button } from '../../../design/Button.tsx'
import { DateTime } from '../../../design/DateTime.tsx'
import { Notice } from '../../../design/Notice.tsx'
import { useAction } from '../../lib/action.ts'
import { call } from '../../lib/api.ts'
import { getData, useResource } from '../../lib/resource.ts'
import { getServerNow } from '../../lib/serverTime.ts'
import { describeAssignment } from './assignedWords.ts'
import { CaseAge } from './CaseAge.tsx'
import styles from './cases.module.css'
import { KeyHint, useShortcuts } from './shortcuts.tsx'
import { useOperator } from './useOperator.ts'

interface CaseAssignmentProps {
  id: string
  kind: WorkKind
  assigned: Assignment | null
  /** When it should be done; null on hold. */
  dueAt: string | null
  onChanged: (assigned: Assignment | null) => void
  /** Called when the case was decided, or another operator took it first. */
  onOvertaken: () => void
}

/** Shows to whom an open case is assigned, with buttons to take it, assign it to a colleague or release it. Others take it over before they decide it. */
export function CaseAssignment({ id, kind, assigned, dueAt, ...on }: CaseAssignmentProps) {
  const { me, can } = useOperator()
  const place = useRef<HTMLDivElement>(null)
  const isMine = assigned !== null && assigned._id === me?._id
  const isTaken = assigned !== null && !isMine
  const { scope } = getWorkKind(kind)
  const mayChange = can(scope) && (assigned === null || isMine)
  const { busy, start } = useAction(async (to: string | null) => {
    try {
      const body = { to, ...(isTaken && { takeOver: true }) }
      on.onChanged((await call(assignCase, { params: { id }, body })).assigned)
    } catch (error) {
      on.onOvertaken()
      throw error
    }
  })
  const toggle = () => start(isMine ? null : (me?._id ?? null))
  useShortcuts(can(scope) && !busy ? { m: toggle } : {}, place as RefObject<HTMLElement | null>)
  if (isTaken)
    return (
      <Notice tone="caution" title={describeAssignment(assigned, me, getServerNow())}>
        <div ref={place} className="stack">
          <p>
            Ask <bdi>{assigned.name}</bdi> first, so that you do not both work on it.
          </p>
          {can(scope) && (
            <div className="row">
              <Button size="small" busy={busy} aria-keyshortcuts="m" onClick={toggle}>
                <span>Take it over</span>
                <KeyHint of="M" />
              </Button>
            </div>
          )}
        </div>
      </Notice>
    )
  return (
    <div ref={place} className={styles.assignment}>
      <span>
        {dueAt !== null && (
          <span>
            <span className={styles.due}>
              <CaseAge createdAt={dueAt} dueAt={dueAt} nowMs={getServerNow()} />
            </span>
            {' · '}
          </span>
        )}
        {assigned === null ? (
          <span>Not assigned</span>
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
          title={isMine ? undefined : `For ${ASSIGNMENT_HOURS} hours. Others see it.`}
          onClick={toggle}
        >
          <span>{isMine ? 'Give back' : 'Assign to me'}</span>
          <KeyHint of="M" />
        </Button>
      )}
      {mayChange && <ColleagueSelect scopes={[scope]} busy={busy} onChoose={start} />}
    </div>
  )
}

interface ColleagueSelectProps {
  /** Only operators who have all of them are offered. */
  scopes: readonly OperatorScope[]
  busy: boolean
  onChoose: (id: string) => void
}

/** Assigns to another operator. Hidden if nobody else can do it. */
export function ColleagueSelect({ scopes, busy, onChoose }: ColleagueSelectProps) {
  const { me } = useOperator()
  const colleagues = getData(useResource('colleagues', () => call(listColleagues))) ?? []
  const others = colleagues.filter(
    ({ _id, roles }) =>
      _id !== me?._id && scopes.every((scope) => roles.some((role) => ROLES_OF[scope].includes(role))),
  )
  if (others.length === 0) return null
  return (
    <select
      className={styles.assignedFilter}
      aria-label="Assign to another operator"
      value=""
      disabled={busy}
      onChange={({ target }) => onChoose(target.value)}
    >
      <option value="">Assign to …</option>
      {others.map(({ _id, name }) => (
        <option key={_id} value={_id}>
          {name}
        </option>
      ))}
    </select>
  )
}
