import { useState } from 'react'
import * as z from 'zod/mini'
import { inviteOperator } from '../../../contract/console/operators.ts'
import { invitationFields, type Proposal } from '../../../contract/console/proposals.ts'
import { TextArea } from '../../../design/TextArea.tsx'
import { TextField } from '../../../design/TextField.tsx'
import { ConfirmedForm } from '../cases/ConfirmedForm.tsx'
import { withFactor } from '../cases/factor.ts'
import { useConfirmedForm } from '../cases/useConfirmedForm.ts'
import { Proposed } from './Proposed.tsx'
import { RolesField } from './RolesField.tsx'
import { boxesOf, choosesRoles, roleBoxes, rolesOf } from './rolesForm.ts'
import { TakesTwo } from './TakesTwo.tsx'
import { roleNames } from './words.ts'

const { name, email, reason } = invitationFields
const schema = z.object({ name, email, ...roleBoxes, reason }).check(choosesRoles())

export interface InviteFormProps {
  othersCanDecide: boolean
  onProposed: () => void
  onClose: () => void
}

/** Proposes to invite somebody as an operator. */
export function InviteForm({ othersCanDecide, onProposed, onClose }: InviteFormProps) {
  const [proposed, setProposed] = useState<Proposal | null>(null)
  const form = useConfirmedForm({
    endpoint: inviteOperator,
    schema,
    defaultValues: boxesOf([]),
    bodyOf: (typed) => ({
      name: typed.name,
      email: typed.email,
      roles: rolesOf(typed),
      reason: typed.reason,
    }),
    send: withFactor(inviteOperator, ({ name }) => `An invitation of ${name}`),
    onDone: (proposal) => {
      setProposed(proposal)
      onProposed()
    },
  })
  if (proposed !== null) return <Proposed proposal={proposed} />
  return (
    <ConfirmedForm
      form={form}
      reviewLabel="Review the invitation"
      confirmLabel={() => 'Propose the invitation'}
      onCancel={onClose}
      summary={(typed) => (
        <>
          <p>
            <strong>{typed.name.trim()}</strong>, {typed.email.trim()}, would operate as{' '}
            <strong>{roleNames(rolesOf(typed))}</strong>.
          </p>
          <p>
            Once another administrator has approved it, a link is mailed to that address. It works once, for
            three days. Whoever opens it chooses a password and turns on a second factor.
          </p>
          <TakesTwo othersCanDecide={othersCanDecide} />
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
          hint="An address that has no account here yet."
          {...form.field('email')}
        />
      </div>
      <RolesField field={form.field} />
      <TextArea label="Reason" optional rows={2} maxLength={500} {...form.field('reason')} />
      <TakesTwo othersCanDecide={othersCanDecide} />
    </ConfirmedForm>
  )
}
