import { useState } from 'react'
import {
  disableOperator,
  enableOperator,
  endOperatorSessions,
  type OperatorRow,
  resetFactor,
} from '../../../contract/console/operators.ts'
import type { Proposal } from '../../../contract/console/proposals.ts'
import { DateTime } from '../../../design/DateTime.tsx'
import { Facts } from '../../../design/Facts.tsx'
import { Status } from '../../../design/Status.tsx'
import { CaseFrame } from '../cases/Case.tsx'
import { CaseMissing } from '../cases/CaseMissing.tsx'
import { ConfirmOnly } from '../cases/ConfirmOnly.tsx'
import { type Choice, Decide } from '../cases/Decide.tsx'
import { NeedsRole } from '../cases/NeedsRole.tsx'
import { ReasonForm } from '../cases/ReasonForm.tsx'
import { Said, type SaidProps } from '../cases/Said.tsx'
import { useOperator } from '../cases/useOperator.ts'
import { useSettings } from '../cases/useSettings.ts'
import { Proposed } from './Proposed.tsx'
import { ProposeForm } from './ProposeForm.tsx'
import { RolesForm } from './RolesForm.tsx'
import { accessOf, roleNames } from './words.ts'

export interface OperatorCaseProps {
  listed: OperatorRow | undefined
  isListLoading: boolean
  /** Somebody else can approve what is proposed here. */
  othersCanDecide: boolean
  onChanged: (operator: OperatorRow) => void
  onOvertaken: () => void
}

type Outcome = SaidProps | Proposal

/** One operator, and what can be done about their access: some of it at once, some of it proposed. */
export function OperatorCase({ listed, isListLoading, othersCanDecide, ...props }: OperatorCaseProps) {
  const { can } = useOperator()
  const settings = useSettings()
  const [outcome, setOutcome] = useState<Outcome | null>(null)
  if (listed === undefined) return <CaseMissing what="operator" isListLoading={isListLoading} />
  const operator = listed
  const { name, email, disabledAt } = operator
  const onOvertaken = (text: string) => {
    setOutcome({ tone: 'caution', title: 'Nothing was done', text })
    props.onOvertaken()
  }
  const done = (text: string) => (row: OperatorRow) => {
    setOutcome({ tone: 'success', title: 'Done', text })
    props.onChanged(row)
  }
  const proposing = (onCancel: () => void) => ({
    operator,
    othersCanDecide,
    onProposed: setOutcome,
    onOvertaken,
    onCancel,
  })
  const choices: Choice[] =
    disabledAt !== null
      ? [
          {
            label: 'Let in again',
            panel: (onCancel) => (
              <ProposeForm
                {...proposing(onCancel)}
                endpoint={enableOperator}
                consequence={`${name} (${email}) would be let in again as ${roleNames(operator.roles)}.`}
                confirmLabel="Propose to let them in"
              />
            ),
          },
        ]
      : [
          {
            label: 'Change roles',
            panel: (onCancel) => <RolesForm {...proposing(onCancel)} />,
          },
          {
            label: 'Disable',
            variant: 'danger',
            panel: (onCancel) => (
              <ReasonForm
                row={operator}
                settings={settings.state === 'ready' ? settings.data : null}
                kind="disabling"
                endpoint={disableOperator}
                hint="Operators read it. They are told that they were disabled, not why."
                consequence={`${name} (${email}) is let in no more, at once: every session ends, and what they proposed is not approved any more. Letting them in again takes two administrators.`}
                confirmLabel={`Disable ${name}`}
                onDecided={done(`${name} is let in no more. Every session has ended.`)}
                onOvertaken={onOvertaken}
                onCancel={onCancel}
              />
            ),
          },
          {
            label: 'End sessions',
            panel: (onCancel) => (
              <ConfirmOnly
                row={operator}
                endpoint={endOperatorSessions}
                confirmLabel="End every session"
                onDecided={done(`Every session of ${name} has ended. They were told by mail.`)}
                onOvertaken={onOvertaken}
                onCancel={onCancel}
              >
                <p>
                  Every session of <strong>{name}</strong> ends at once, on every browser. They can sign in
                  again, and are told by mail.
                </p>
              </ConfirmOnly>
            ),
          },
          ...(operator.secondFactor ? [factorChoice(name, proposing)] : []),
        ]
  return (
    <CaseFrame>
      {outcome !== null && ('kind' in outcome ? <Proposed proposal={outcome} /> : <Said {...outcome} />)}
      <OperatorFacts operator={operator} />
      {operator.own ? (
        <p className="soft small">Nobody changes their own access. Another administrator can.</p>
      ) : (
        <>
          <NeedsRole scope="operator:operators.write" />
          {outcome === null && can('operator:operators.write') && <Decide choices={choices} />}
        </>
      )}
    </CaseFrame>
  )
}

function factorChoice(
  name: string,
  proposing: (
    onCancel: () => void,
  ) => Omit<Parameters<typeof ProposeForm>[0], 'endpoint' | 'consequence' | 'confirmLabel'>,
): Choice {
  return {
    label: 'Take off the second factor',
    panel: (onCancel) => (
      <ProposeForm
        {...proposing(onCancel)}
        endpoint={resetFactor}
        consequence={`${name}’s second factor would be taken off, and the password with it: every session ends, they choose a new password by mail and turn on a new factor. Make sure that it is they who ask: call them, or see them.`}
        confirmLabel="Propose to take it off"
      />
    ),
  }
}

function OperatorFacts({ operator }: { operator: OperatorRow }) {
  const { name, email, roles, own, secondFactor, createdAt, lastSeenAt, disabledAt, disabledReason } =
    operator
  return (
    <Facts
      facts={[
        { label: 'Access', value: <Status {...accessOf(operator)} /> },
        { label: 'Name', value: own ? `${name} (you)` : name },
        { label: 'E-mail', value: email },
        { label: 'Roles', value: roleNames(roles) },
        { label: 'Second factor', value: secondFactor ? 'On' : 'Off: no page for operators opens' },
        { label: 'Since', value: <DateTime at={createdAt} show="date" /> },
        { label: 'Last seen', value: lastSeenAt === null ? 'Never' : <DateTime at={lastSeenAt} /> },
        disabledAt !== null && { label: 'Disabled', value: <DateTime at={disabledAt} /> },
        disabledAt !== null && {
          label: 'Because',
          value: disabledReason ?? 'By command, without a reason.',
        },
      ]}
    />
  )
}
