import { type ReactNode, useState } from 'react'
import { COIN_LABELS, type Coin, NETWORK_LABELS, type Network } from '../../../contract/money/coins.ts'
import type { Wallet } from '../../../contract/money/wallets.ts'
import { TextField } from '../../../design/Field.tsx'
import { RadioGroup } from '../../../design/RadioGroup.tsx'
import type { FieldAttributes } from '../../lib/form.ts'
import type { FieldValue } from '../../lib/formControls.ts'
import { useResource } from '../../lib/resource.ts'
import {
  listOfferedCoins,
  listOfferedNetworks,
  parseCoin,
  parseNetwork,
  pickOnly,
} from '../deposits/wallets.ts'
import { AddressBookDialog, ChooseAddress, loadAddresses } from '../destinations/AddressBook.tsx'
import { checkAddress } from './address.ts'
import { useReadAddress } from './useReadAddress.ts'
import styles from './Withdrawal.module.css'

type Name = 'type' | 'network' | 'address'

interface WalletFieldsOptions {
  wallets: readonly Wallet[]
  field: (name: Name) => FieldAttributes
  form: {
    watch: (name: Name) => FieldValue
    getValues: (name: Name) => FieldValue
    setValue: (name: 'network' | 'address', value: string | undefined) => void
    clearErrors: (name: Name) => void
  }
}

interface WalletFields {
  fields: ReactNode
  /** The values in the form, the address trimmed. */
  typed: { coin: Coin | null; network: Network | null; address: string }
  /** Render it outside the form, because it contains forms. */
  dialog: ReactNode
  /** Hides the address error until the field loses focus again. */
  reset: () => void
}

/** Coin, network and address, which may come from the address book. */
export function useWalletFields(
  { wallets, field, form }: WalletFieldsOptions,
  isNeeded = true,
): WalletFields {
  // No error while the address is first typed.
  const [isAddressLeft, setAddressLeft] = useState(false)
  const coin = parseCoin(form.watch('type'))
  const network = parseNetwork(form.watch('network'))
  const address = String(form.watch('address') ?? '')
  const networks = listOfferedNetworks(coin, wallets)
  const book = useResource(isNeeded && network !== null ? 'address book' : null, loadAddresses)
  const [isManaging, setManaging] = useState(false)
  useReadAddress(network, address, (read) => form.setValue('address', read))
  const verdict = checkAddress(network, address)
  const problem = isAddressLeft && verdict.state === 'wrong' ? verdict.problem : undefined

  const type = field('type')
  const onCoin: typeof type.onChange = (event) => {
    type.onChange(event)
    const next = listOfferedNetworks(parseCoin(form.getValues('type')), wallets)
    form.setValue('network', pickOnly(next))
    form.clearErrors('network')
  }
  const addressField = field('address')
  const fields = (
    <>
      <RadioGroup
        label="Coin"
        options={listOfferedCoins(wallets).map((value) => ({ value, label: COIN_LABELS[value] }))}
        {...type}
        onChange={onCoin}
      />
      {networks.length > 1 && (
        <RadioGroup
          label="Network"
          hint="Choose the one that your wallet expects."
          options={networks.map((value) => ({ value, label: NETWORK_LABELS[value] }))}
          {...field('network')}
        />
      )}
      {network && book.state === 'ready' && (
        <ChooseAddress
          saved={book.data}
          network={network}
          address={address}
          onChoose={(chosen) => {
            form.setValue('address', chosen)
            form.clearErrors('address')
          }}
          onManage={() => setManaging(true)}
        />
      )}
      <TextField
        label="Withdrawal address"
        hint={<AddressHint network={network} address={verdict.state === 'right' ? address.trim() : null} />}
        autoComplete="off"
        autoCapitalize="none"
        spellCheck={false}
        {...addressField}
        onBlur={() => setAddressLeft(true)}
        // A pasted address is complete.
        onPaste={() => setAddressLeft(true)}
        error={addressField.error ?? problem}
      />
    </>
  )
  const dialog = isManaging && book.state === 'ready' && (
    <AddressBookDialog saved={book.data} onChanged={book.reload} onClose={() => setManaging(false)} />
  )
  return {
    fields,
    typed: { coin, network, address: address.trim() },
    dialog,
    reset: () => setAddressLeft(false),
  }
}

export function WalletWords({ address, network }: { address: string; network: Network | null }) {
  return (
    <>
      <code translate="no">{address}</code>
      <span>{network && `, on the network ${NETWORK_LABELS[network]}`}</span>
    </>
  )
}

/** Repeats a complete address in groups for comparison, because the field may cut it off. */
function AddressHint({ network, address }: { network: Network | null; address: string | null }) {
  if (network === null) return null
  if (address === null) return <span>Paid on the {NETWORK_LABELS[network]} network.</span>
  return (
    <span>
      Please compare it:{' '}
      <code translate="no" className={styles.compared}>
        {address.match(/.{1,4}/g)?.join(' ')}
      </code>
    </span>
  )
}
