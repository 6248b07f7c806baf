import { COIN_LABELS, COINS, NETWORK_LABELS, networksOf } from '../../contract/coins.ts'
import { propose, walletProposal } from '../../contract/operator/proposals.ts'
import { Button } from '../../design/Button.tsx'
import { Form } from '../../design/Form.tsx'
import { SelectField } from '../../design/SelectField.tsx'
import { TextArea } from '../../design/TextArea.tsx'
import { TextField } from '../../design/TextField.tsx'
import { useEndpointForm } from '../lib/endpointForm.ts'
import type { ProposeFormProps } from './Propose.tsx'

/** Proposes an address for investors to pay to. */
export function ProposeWallet({ onProposed, onCancel }: ProposeFormProps) {
  const { shell, field, form } = useEndpointForm({
    endpoint: propose,
    schema: walletProposal,
    defaultValues: { kind: 'wallet', walletName: 'bitcoin' },
    failures: 'form',
    onDone: onProposed,
  })
  const coin = COINS.find((known) => known === form.watch('walletName')) ?? 'bitcoin'
  return (
    <Form
      {...shell}
      submitLabel="Propose the wallet"
      actions={
        <Button variant="quiet" onClick={onCancel}>
          Cancel
        </Button>
      }
    >
      <div className="pair">
        <SelectField
          label="Coin"
          options={COINS.map((value) => ({ value, label: COIN_LABELS[value] }))}
          {...field('walletName')}
        />
        <SelectField
          label="Network"
          options={networksOf(coin).map((value) => ({ value, label: NETWORK_LABELS[value] }))}
          {...field('network')}
        />
      </div>
      <TextField
        label="Receiving address"
        hint="It never changes once it is approved: another address is another wallet."
        autoComplete="off"
        spellCheck={false}
        maxLength={200}
        {...field('address')}
      />
      <TextArea label="Reason" optional rows={2} maxLength={500} {...field('reason')} />
    </Form>
  )
}
