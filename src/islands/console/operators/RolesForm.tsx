import { useMemo, useState } from 'react'
import * as z from 'zod/mini'
import { reasonBody } from '../../../contract/console/cases.ts'
import { invitationFields } from '../../../contract/console/operatorFields.ts'
import {
  changeRoles,
  type InvitationRow,
  inviteOperator,
  listOperators,
  type OperatorRow,
} from '../../../contract/console/operators.ts'
import type { Proposal } from '../../../contract/console/proposals.ts'
import { isolate } from '../../../contract/isolate.ts'
import { ROLES, ROLES_OF, type Role } from '../../../contract/roles.ts'
import { CheckboxField, TextArea, TextField } from '../../../design/Field.tsx'
import { call } from '../../lib/api.ts'
import type { FieldAttributes } from '../../lib/form.ts'
import { getData, useResource } from '../../lib/resource.ts'
import { toCapitalised } from '../../money/transactions/words.ts'
import { OutcomeNotice } from '../cases/Case.tsx'
import { ConfirmedForm, type DecisionProps, useConfirmedForm } from '../cases/ConfirmedForm.tsx'
import { withFactor } from '../cases/factor.tsx'
import type { NewRowProps } from '../cases/queueKind.ts'
import { describeProposed } from '../cases/ReasonForm.tsx'
import styles from './RolesForm.module.css'
import { canAdminister, formatRoles, ROLE_SENTENCES } from './words.ts'

/** The schema fields of the checkboxes, one for each role. */
export const roleBoxes = {
  reviewer: z.boolean(),
  treasurer: z.boolean(),
  support: z.boolean(),
  compliance: z.boolean(),
  administrator: z.boolean(),
  auditor: z.boolean(),
} satisfies Record<Role, z.ZodMiniType<boolean>>

type RoleBoxes = Record<Role, boolean>

/** The checkbox values for these roles. */
export function toRoleBoxes(roles: readonly Role[]): RoleBoxes {
  return Object.fromEntries(ROLES.map((role) => [role, roles.includes(role)])) as RoleBoxes
}

/** The roles whose checkboxes are ticked, in the order of `ROLES`. */
export function listTickedRoles(boxes: RoleBoxes): Role[] {
  return ROLES.filter((role) => boxes[role])
}

/** Refuses an empty choice and the present roles. Reported together with the errors of other fields. */
export function requireRoleChange(present: readonly Role[] = []) {
  return z.refine<RoleBoxes>((boxes) => isChange(listTickedRoles(boxes), present), {
    path: ['reviewer'],
    error: ({ input }) =>
      listTickedRoles(input as RoleBoxes).length === 0
        ? 'Please choose at least one role'
        : 'They already have these roles: please choose others',
    when: () => true,
  })
}

function isChange(chosen: readonly Role[], present: readonly Role[]): boolean {
  return chosen.length > 0 && chosen.join() !== ROLES.filter((role) => present.includes(role)).join()
}

interface RolesFormProps extends Omit<DecisionProps<OperatorRow>, 'onDecided'> {
  onDecided: (proposal: Proposal) => void
}

/** Proposes other roles for an operator. */
export function RolesForm({ row: operator, ...props }: RolesFormProps) {
  const schema = useMemo(
    () =>
      z.object({ ...roleBoxes, reason: reasonBody.shape.reason }).check(requireRoleChange(operator.roles)),
    [operator.roles],
  )
  const form = useConfirmedForm({
    endpoint: changeRoles,
    params: { id: operator._id },
    schema,
    defaultValues: toRoleBoxes(operator.roles),
    bodyOf: (typed) => ({ roles: listTickedRoles(typed), reason: typed.reason }),
    send: withFactor(changeRoles, `New roles for ${isolate(operator.name)}`),
    onDone: props.onDecided,
    onOvertaken: props.onOvertaken,
  })
  return (
    <ConfirmedForm
      form={form}
      reviewLabel="Review the roles"
      confirmLabel="Propose the roles"
      onCancel={props.onCancel}
      summary={(typed) => (
        <>
          <p>
            <bdi>{operator.name}</bdi>’s roles now: {formatRoles(operator.roles)}. Once approved:{' '}
            <strong>{formatRoles(listTickedRoles(typed))}</strong>.
          </p>
          {ROLES_OF['operator:kyc.own_key'].some((role) => operator.roles.includes(role)) &&
            !ROLES_OF['operator:kyc.own_key'].some((role) => typed[role]) && (
              <p>
                New documents will no longer be encrypted to their key. After the approval, encrypt the older
                documents again under Document keys.
              </p>
            )}
          <p>
            <span className="soft">Reason: </span>
            {typed.reason.trim()}
          </p>
          <TakesTwo />
        </>
      )}
    >
      <RolesField field={form.field} />
      <TextArea
        label="Reason"
        rows={2}
        maxLength={500}
        hint="Other operators can read it."
        {...form.field('reason')}
      />
      <TakesTwo />
    </ConfirmedForm>
  )
}

const { name, email, reason } = invitationFields
const invitationSchema = z.object({ name, email, ...roleBoxes, reason }).check(requireRoleChange())

/** Proposes to invite a new operator. */
export function InviteForm({ queue, onCancel }: NewRowProps<InvitationRow>) {
  const [proposed, setProposed] = useState<Proposal | null>(null)
  const form = useConfirmedForm({
    endpoint: inviteOperator,
    schema: invitationSchema,
    defaultValues: toRoleBoxes([]),
    bodyOf: (typed) => ({
      name: typed.name,
      email: typed.email,
      roles: listTickedRoles(typed),
      reason: typed.reason,
    }),
    send: withFactor(inviteOperator, ({ name }) => `An invitation for ${isolate(name)}`),
    onDone: (proposal) => {
      setProposed(proposal)
      queue.reload()
    },
  })
  if (proposed !== null) return <OutcomeNotice {...describeProposed(proposed, PROPOSED)} />
  return (
    <ConfirmedForm
      form={form}
      reviewLabel="Review the invitation"
      confirmLabel="Propose the invitation"
      onCancel={onCancel}
      summary={(typed) => (
        <>
          <p>
            You propose to invite <strong>{typed.name.trim()}</strong>, {typed.email.trim()}, as{' '}
            <strong>{formatRoles(listTickedRoles(typed))}</strong>.
          </p>
          <p>
            When another administrator approves the invitation, we send a link to that address. It works once,
            within three days. The new operator chooses a password and turns on a second factor.
          </p>
          <TakesTwo />
        </>
      )}
    >
      <div className="pair">
        <TextField label="Name" autoComplete="off" maxLength={100} {...form.field('name')} />
        <TextField
          label="E-mail"
          type="email"
          inputMode="email"
          autoComplete="off"
          hint="An address without an account here."
          {...form.field('email')}
        />
      </div>
      <RolesField field={form.field} />
      <TextArea label="Reason" optional rows={2} maxLength={500} {...form.field('reason')} />
      <TakesTwo />
    </ConfirmedForm>
  )
}

/** A checkbox for each role, with its permissions. */
function RolesField({ field }: { field: (role: Role) => FieldAttributes }) {
  return (
    <fieldset className={styles.roles}>
      <legend className={styles.legend}>Roles</legend>
      {ROLES.map((role) => (
        <CheckboxField
          key={role}
          {...field(role)}
          label={toCapitalised(role)}
          hint={<span className={styles.hint}>{ROLE_SENTENCES[role]}</span>}
        />
      ))}
    </fieldset>
  )
}

/** What happens after each proposal about an operator. */
export const PROPOSED = 'Nothing changes until another administrator approves it.'

/** Says who decides the proposal, before it is made. */
export function TakesTwo() {
  const operators = useResource('operators', () => call(listOperators, { query: { limit: '100' } }))
  if (getData(operators)?.some((row) => !row.own && canAdminister(row)) ?? true)
    return <p className="soft small">You make a proposal. Another administrator approves it.</p>
  return (
    <p className="soft small">
      Another administrator has to approve your proposal, but there is no other one who can act now. The
      database owner can invite one with <code translate="no">npm run operator -- invite</code>.
    </p>
  )
}
