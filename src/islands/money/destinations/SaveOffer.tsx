import { useState } from 'react'
import type { Coin, Network } from '../../../contract/money/coins.ts'
import { renameAddress, saveAddress } from '../../../contract/money/destinations.ts'
import { Form } from '../../../design/Form.tsx'
import { Notice } from '../../../design/Notice.tsx'
import { TextField } from '../../../design/TextField.tsx'
import { useEndpointForm } from '../../lib/endpointForm.ts'
import { useResource } from '../../lib/resource.ts'
import { loadAddresses } from './loadAddresses.ts'
import { savedAs } from './words.ts'

export interface Destination {
  type: Coin
  network: Network
  address: string
}

/** Offers to save an address that was just used. Nothing where it is saved, or nobody can tell whether it is. */
export function SaveOffer({ destination }: { destination: Destination }) {
  const book = useResource('saved addresses', loadAddresses)
  const [name, setName] = useState<string | null>(null)
  if (name !== null) {
    return (
      <Notice tone="success" live>
        Saved as “{name}”. You can choose it for your next withdrawal.
      </Notice>
    )
  }
  if (book.state !== 'ready' || savedAs(book.data, destination)) return null
  return <Save destination={destination} onSaved={setName} />
}

function Save({ destination, onSaved }: { destination: Destination; onSaved: (name: string) => void }) {
  const { shell, field } = useEndpointForm({
    endpoint: saveAddress,
    // All but the name is known.
    schema: renameAddress.body,
    bodyOf: ({ label }) => ({ ...destination, label }),
    failures: 'form',
    onDone: ({ label }) => onSaved(label),
  })
  return (
    <Form {...shell} label="Save this address" submitLabel="Save Address">
      <TextField
        label="Save this address as"
        hint="A name of your own, such as “Cold wallet”."
        autoComplete="off"
        maxLength={60}
        {...field('label')}
      />
    </Form>
  )
}
