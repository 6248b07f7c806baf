import type { Network } from '../../../contract/money/coins.ts'
import type { SavedAddress } from '../../../contract/money/destinations.ts'
import { Button } from '../../../design/Button.tsx'
import { SelectField } from '../../../design/SelectField.tsx'
import { addressShort, onNetwork } from './words.ts'

interface ChooseAddressProps {
  saved: readonly SavedAddress[]
  network: Network
  /** As it stands in the form. */
  address: string
  onChoose: (address: string) => void
  onManage: () => void
}

/** Offers the saved addresses of a network, and the way to change them. Nothing while none is saved. */
export function ChooseAddress({ saved, network, address, onChoose, onManage }: ChooseAddressProps) {
  const fitting = onNetwork(saved, network)
  if (saved.length === 0) return null
  const manage = (
    <Button size="small" aria-haspopup="dialog" onClick={onManage}>
      Manage saved addresses
    </Button>
  )
  if (fitting.length === 0) return <div>{manage}</div>
  return (
    <SelectField
      label="Saved address"
      optional
      placeholder="None: I type it in"
      options={fitting.map(({ _id, label, address: full }) => ({
        value: _id,
        label: `${label} (${addressShort(full)})`,
      }))}
      value={fitting.find((each) => each.address === address)?._id ?? ''}
      onChange={({ target }) => onChoose(fitting.find(({ _id }) => _id === target.value)?.address ?? '')}
      hint={manage}
    />
  )
}
