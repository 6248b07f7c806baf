import * as z from 'zod/mini'
import { keyHoldersProposal, propose } from '../../../contract/console/proposalBodies.ts'
import type { Proposal } from '../../../contract/console/proposals.ts'
import type { WatchWallet } from '../../../contract/console/watchWallets.ts'
import { listColleagues } from '../../../contract/console/workItems.ts'
import type { AnswerOf } from '../../../contract/endpoint.ts'
import { TextArea } from '../../../design/Field.tsx'
import { SelectField } from '../../../design/SelectField.tsx'
import { call } from '../../lib/api.ts'
import { Loaded } from '../../lib/Loaded.tsx'
import { useResource } from '../../lib/resource.ts'
import { CaseLoading } from '../cases/Case.tsx'
import { ConfirmedForm, useConfirmedForm } from '../cases/ConfirmedForm.tsx'
import { withFactor } from '../cases/factor.tsx'

interface AssignKeysProps {
  row: WatchWallet
  onProposed: (proposal: Proposal) => void
  onOvertaken: (msg: string) => void
  onCancel: (() => void) | undefined
}

/** Proposes which treasurer holds each key of the wallet. */
export function AssignKeys(props: AssignKeysProps) {
  const colleagues = useResource('colleagues', () => call(listColleagues))
  return (
    <Loaded resource={colleagues} waiting={<CaseLoading what="operators" />}>
      {(loaded) => (
        <AssignForm {...props} treasurers={loaded.filter(({ roles }) => roles.includes('treasurer'))} />
      )}
    </Loaded>
  )
}

interface AssignFormProps extends AssignKeysProps {
  treasurers: AnswerOf<typeof listColleagues>
}

function AssignForm({ row: wallet, treasurers, onProposed, onOvertaken, onCancel }: AssignFormProps) {
  const { holders, proof } = wallet
  const names = proof.signers.map(({ key }) => `key${key}`)
  const form = useConfirmedForm({
    endpoint: propose,
    schema: buildSchema(names),
    defaultValues: Object.fromEntries(
      names.map((name, place) => [name, holders[place]?.canSign ? holders[place]._id : '']),
    ),
    send: withFactor(propose, 'The holders of the keys'),
    bodyOf: (values) => ({
      kind: 'key_holders' as const,
      wallet: wallet._id,
      holders: names.map((name) => findChosen(values, name)?._id ?? null),
      reason: values.reason ?? '',
    }),
    onDone: onProposed,
    onOvertaken,
  })
  const findChosen = (values: Readonly<Record<string, string>>, name: string) =>
    treasurers.find(({ _id }) => _id === values[name])
  const labels = proof.signers.map(({ key, origin, address }) => {
    const which = proof.signers.length === 1 ? 'The key' : `Key ${key + 1}`
    return `${which}, ${origin === '' ? address : origin.slice(0, 8)}`
  })
  return (
    <ConfirmedForm
      form={form}
      confirmLabel="Propose the holders"
      summary={(values) => (
        <>
          <p>
            Once another administrator approves it, each of these people hands in the signatures of their own
            key, and nobody else does. Any treasurer hands in the signature of a key that nobody holds.
          </p>
          <ul>
            {names.map((name, place) => (
              <li key={name}>
                <span translate="no">{labels[place]}</span>:{' '}
                <bdi>{findChosen(values, name)?.name ?? 'Nobody yet'}</bdi>
              </li>
            ))}
          </ul>
        </>
      )}
      onCancel={onCancel}
    >
      {names.map((name, place) => (
        <SelectField
          key={name}
          label={labels[place] ?? ''}
          options={[
            { value: '', label: 'Nobody yet' },
            ...treasurers.map((person) => ({ value: person._id, label: person.name })),
          ]}
          {...form.field(name)}
        />
      ))}
      <TextArea label="Reason" rows={2} maxLength={500} {...form.field('reason')} />
    </ConfirmedForm>
  )
}

/** A person for each key, and the reason. */
function buildSchema(names: readonly string[]) {
  const fields: Record<string, z.ZodMiniType<string, string>> = { reason: keyHoldersProposal.shape.reason }
  for (const name of names) fields[name] = z.string()
  return z.object(fields)
}
