import { useMemo } from 'react'
import * as z from 'zod/mini'
import { reasonBody } from '../../../contract/console/cases.ts'
import { changeRoles } from '../../../contract/console/operators.ts'
import { TextArea } from '../../../design/TextArea.tsx'
import { ConfirmedForm } from '../cases/ConfirmedForm.tsx'
import { isOvertaken } from '../cases/decision.ts'
import { withFactor } from '../cases/factor.ts'
import { useConfirmedForm } from '../cases/useConfirmedForm.ts'
import type { ProposalProps } from './ProposeForm.tsx'
import { RolesField } from './RolesField.tsx'
import { boxesOf, choosesRoles, roleBoxes, rolesOf } from './rolesForm.ts'
import { TakesTwo } from './TakesTwo.tsx'
import { roleNames } from './words.ts'

/** Proposes other roles for an operator. */
export function RolesForm({ operator, othersCanDecide, ...props }: ProposalProps) {
  const schema = useMemo(
    () => z.object({ ...roleBoxes, reason: reasonBody.shape.reason }).check(choosesRoles(operator.roles)),
    [operator.roles],
  )
  const form = useConfirmedForm({
    endpoint: changeRoles,
    params: { id: operator._id },
    schema,
    defaultValues: boxesOf(operator.roles),
    bodyOf: (typed) => ({ roles: rolesOf(typed), reason: typed.reason }),
    send: withFactor(changeRoles, `Other roles for ${operator.name}`),
    onDone: props.onProposed,
    onFailure: (failure) => {
      if (isOvertaken(failure)) props.onOvertaken(failure.msg)
    },
  })
  return (
    <ConfirmedForm
      form={form}
      reviewLabel="Review the roles"
      confirmLabel={() => 'Propose the roles'}
      onCancel={props.onCancel}
      summary={(typed) => (
        <>
          <p>
            {operator.name} is {roleNames(operator.roles)} and would be{' '}
            <strong>{roleNames(rolesOf(typed))}</strong>, at once when it is approved.
          </p>
          {operator.roles.includes('reviewer') && !typed.reviewer && (
            <p>
              New documents are encrypted to their document key no more. Seal the older ones anew afterwards,
              under Document keys.
            </p>
          )}
          <p>
            <span className="soft">Reason: </span>
            {typed.reason.trim()}
          </p>
          <TakesTwo othersCanDecide={othersCanDecide} />
        </>
      )}
    >
      <RolesField field={form.field} />
      <TextArea label="Reason" rows={2} maxLength={500} hint="Operators read it." {...form.field('reason')} />
      <TakesTwo othersCanDecide={othersCanDecide} />
    </ConfirmedForm>
  )
}
