import { useState } from 'react'
import { getTaxDetails, saveTaxDetails, type TaxDetails } from '../../../contract/identity/tax.ts'
import { Button } from '../../../design/Button.tsx'
import { TextField } from '../../../design/Field.tsx'
import { Form } from '../../../design/Form.tsx'
import { Modal } from '../../../design/Modal.tsx'
import { Panel } from '../../../design/Panel.tsx'
import { toast } from '../../../design/toasts.ts'
import { call } from '../../lib/api.ts'
import { useEndpointForm } from '../../lib/endpointForm.ts'
import { Loaded, Waiting } from '../../lib/Loaded.tsx'
import { useResource } from '../../lib/resource.ts'
import { CountryField } from '../signUp/PersonFields.tsx'

/** Where an investor pays taxes. It loads once it is opened. */
export function TaxResidence() {
  const [isOpen, setOpen] = useState(false)
  return (
    <Panel title="Tax residence">
      <p className="small soft">
        Many countries require platforms for crypto assets to report deposits and withdrawals of coins to the
        tax authority once a year. A report needs your country and tax number. We store them encrypted and use
        them for nothing else.
      </p>
      <div className="row">
        <Button aria-haspopup="dialog" onClick={() => setOpen(true)}>
          Tax residence
        </Button>
      </div>
      <Modal open={isOpen} onClose={() => setOpen(false)} title="Tax residence">
        <SavedDetails onDone={() => setOpen(false)} />
      </Modal>
    </Panel>
  )
}

function SavedDetails({ onDone }: { onDone: () => void }) {
  const saved = useResource('tax details', () => call(getTaxDetails))
  return (
    <Loaded resource={saved} waiting={<Waiting label="Loading your tax residence">{null}</Waiting>}>
      {({ details }) => <TaxForm details={details} onDone={onDone} />}
    </Loaded>
  )
}

function TaxForm({ details, onDone }: { details: TaxDetails | null; onDone: () => void }) {
  const { shell, field } = useEndpointForm({
    endpoint: saveTaxDetails,
    defaultValues: { ...details },
    focus: 'firstName',
    failures: 'form',
    onDone: ({ msg }) => {
      toast.success(msg)
      onDone()
    },
  })
  return (
    <Form {...shell} submitLabel="Save" label="Tax residence">
      <div className="pair">
        <TextField label="First name" autoComplete="given-name" {...field('firstName')} />
        <TextField label="Last name" autoComplete="family-name" {...field('lastName')} />
      </div>
      <TextField label="Street and number" optional autoComplete="address-line1" {...field('street')} />
      <div className="pair">
        <TextField label="Postcode" optional autoComplete="postal-code" {...field('postCode')} />
        <TextField label="City" autoComplete="address-level2" {...field('city')} />
      </div>
      <div className="pair">
        <CountryField hint="Where you pay taxes" {...field('country')} />
        <TextField
          label="Tax number"
          optional
          autoComplete="off"
          translate="no"
          hint="Leave it blank if your country gives you none"
          {...field('taxNumber')}
        />
      </div>
    </Form>
  )
}
