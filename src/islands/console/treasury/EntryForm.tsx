import { getCoinLabel, getCoinSymbol } from '../../../contract/console/coinWords.ts'
import { type OperatorTreasury, proposeEntry } from '../../../contract/console/treasury.ts'
import { PLACE_KINDS, type TreasuryAction } from '../../../contract/console/treasuryActs.ts'
import { isolate } from '../../../contract/isolate.ts'
import { TextArea, TextField } from '../../../design/Field.tsx'
import { FileInput } from '../../../design/FileInput.tsx'
import { Form } from '../../../design/Form.tsx'
import { SelectField } from '../../../design/SelectField.tsx'
import { useEndpointForm } from '../../lib/endpointForm.ts'
import { useFileField } from '../../lib/fileField.ts'
import { CancelButton } from '../cases/ConfirmedForm.tsx'
import { ACTION_LABELS } from './words.ts'

interface EntryFormProps {
  places: readonly OperatorTreasury['places'][number][]
  onProposed: () => void
  onCancel: () => void
}

const ACTIONS = Object.keys(ACTION_LABELS) as TreasuryAction[]
const LEAVES: readonly TreasuryAction[] = ['drawing', 'fee', 'conversion', 'move']
const ARRIVES: readonly TreasuryAction[] = ['statement', 'funding', 'conversion', 'move']

/** An entry of the treasury with its document. Another treasurer approves it. */
export function EntryForm({ places, onProposed, onCancel }: EntryFormProps) {
  const document = useFileField('image', 'Please attach the document: a PDF or a picture', 'document')
  const { shell, field, form } = useEndpointForm({
    endpoint: proposeEntry,
    file: document,
    defaultValues: { action: 'statement' },
    // A move arrives as it left.
    bodyOf: (values) => (values.action === 'move' ? { ...values, toQuantity: values.fromQuantity } : values),
    failures: 'form',
    onDone: onProposed,
  })
  const action = ACTIONS.find((candidate) => candidate === form.watch('action')) ?? 'statement'
  const options = listPlaceOptions(places)
  const assets = [...new Set(places.filter(({ proof }) => proof !== 'exchange').map(({ asset }) => asset))]
  return (
    <Form {...shell} submitLabel="Propose the entry" actions={<CancelButton onClick={onCancel} />}>
      <SelectField
        label="Entry"
        options={ACTIONS.map((value) => ({ value, label: ACTION_LABELS[value] }))}
        {...field('action')}
      />
      {LEAVES.includes(action) && (
        <>
          <SelectField label="From" placeholder="Choose a place" options={options} {...field('from')} />
          <TextField label="Quantity" inputMode="decimal" autoComplete="off" {...field('fromQuantity')} />
        </>
      )}
      {ARRIVES.includes(action) && (
        <SelectField
          label={action === 'statement' ? 'Place' : 'To'}
          placeholder="Choose a place"
          options={options}
          {...field('to')}
        />
      )}
      {ARRIVES.includes(action) && action !== 'move' && (
        <TextField
          label={action === 'statement' ? 'Balance' : 'Quantity that arrives'}
          inputMode="decimal"
          autoComplete="off"
          {...field('toQuantity')}
        />
      )}
      {action === 'statement' && (
        <TextField
          label="Day"
          type="date"
          hint="The balance at the end of this day (UTC)."
          {...field('day')}
        />
      )}
      {action === 'place' && (
        <>
          <TextField label="Name" maxLength={60} autoComplete="off" {...field('name')} />
          <SelectField
            label="Kind of place"
            placeholder="Choose a kind"
            options={PLACE_KINDS.map((value) => ({ value, label: KIND_LABELS[value] }))}
            {...field('placeKind')}
          />
          <SelectField
            label="Asset"
            placeholder="Choose an asset"
            options={assets.map((value) => ({ value, label: getCoinLabel(value) }))}
            {...field('asset')}
          />
        </>
      )}
      <FileInput label="Document" hint="The statement, invoice or transaction." {...document.input} />
      <TextArea
        label="Reason"
        rows={2}
        maxLength={500}
        hint="Other operators can read it."
        {...field('reason')}
      />
    </Form>
  )
}

/** The places with a journal. */
export function listPlaceOptions(places: EntryFormProps['places']) {
  return places
    .filter(({ proof }) => proof !== 'exchange')
    .map(({ _id, name, asset }) => ({ value: _id, label: `${isolate(name)}, ${getCoinSymbol(asset)}` }))
}

const KIND_LABELS: Record<(typeof PLACE_KINDS)[number], string> = {
  wallet: 'Wallet',
  bank: 'Bank account',
  exchange: 'Exchange without a connection',
  house: 'The company’s own money and fees',
}
