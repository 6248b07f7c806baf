import { useEffect, useEffectEvent } from 'react'
import type { Passkey } from '../../contract/passkeyList.ts'
import { renamePasskey } from '../../contract/passkeys.ts'
import { Form } from '../../design/Form.tsx'
import { TextField } from '../../design/TextField.tsx'
import { useEndpointForm } from '../lib/endpointForm.ts'

/** Gives a passkey another name. */
export function RenamePasskey({ passkey, onDone }: { passkey: Passkey; onDone: () => void }) {
  const { shell, field, form } = useEndpointForm({
    endpoint: renamePasskey,
    params: { id: passkey._id },
    defaultValues: { name: passkey.name },
    failures: 'form',
    onDone,
  })
  const focusFirst = useEffectEvent(() => form.setFocus('name'))
  useEffect(() => focusFirst(), [])
  return (
    <Form {...shell} submitLabel="Save Name" label="Rename the passkey">
      <TextField label="Name" autoComplete="off" maxLength={60} {...field('name')} />
    </Form>
  )
}
