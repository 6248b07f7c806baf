import { useState } from 'react'
import { COIN_LABELS, NETWORK_LABELS, type Network } from '../../contract/coins.ts'
import type { Filed } from '../../contract/common.ts'
import type { Limits } from '../../contract/limits.ts'
import type { Wallet } from '../../contract/wallets.ts'
import { requestWithdrawal } from '../../contract/withdrawals.ts'
import { Form } from '../../design/Form.tsx'
import { RadioGroup } from '../../design/RadioGroup.tsx'
import { TextField } from '../../design/TextField.tsx'
import type { Destination } from '../address-book/SaveOffer.tsx'
import { useAddressBook } from '../address-book/useAddressBook.ts'
import { coinNamed } from '../deposit/wallets.ts'
import type { Obstacle } from '../filing/obstacle.ts'
import { Refused } from '../filing/Refused.tsx'
import { useEndpointForm } from '../lib/endpointForm.ts'
import { AmountField } from './AmountField.tsx'
import { cryptoWithdrawalForm, useAddressVerdict } from './address.ts'
import styles from './CryptoForm.module.css'
import { DRAFTS } from './drafts.ts'
import { coinsFor, networkNamed, networksFor, onlyOf } from './networks.ts'
import { ProofStep } from './ProofStep.tsx'
import { OUTDATED, useStepUp } from './stepUp.ts'

interface CryptoFormProps {
  limits: Limits
  obstacle: Obstacle | null
  /** The server refused by what the screen does not know yet. */
  onOutdated: () => void
  wallets: readonly Wallet[]
  onFiled: (filed: Filed, destination?: Destination) => void
}

/** Withdraws to an address of a coin's network. */
export function CryptoForm({ limits, obstacle, wallets, onFiled, onOutdated }: CryptoFormProps) {
  const stepUp = useStepUp()
  const { shell, field, form } = useEndpointForm({
    endpoint: requestWithdrawal,
    schema: cryptoWithdrawalForm,
    draft: DRAFTS.crypto,
    ...stepUp.options,
    onFailure: (failure) => {
      stepUp.meet(failure, form)
      if (OUTDATED.includes(failure.code)) onOutdated()
    },
    onDone: (filed) => {
      const destination = coin && network && { type: coin, network, address: address.trim() }
      stepUp.end(form)
      form.reset()
      setAddressLeft(false)
      onFiled(filed, destination ?? undefined)
    },
  })
  // Nothing is said against an address that is still being typed for the first time.
  const [isAddressLeft, setAddressLeft] = useState(false)
  const coin = coinNamed(form.watch('type'))
  const network = networkNamed(form.watch('network'))
  const address = String(form.watch('address') ?? '')
  const networks = networksFor(coin, wallets)
  const book = useAddressBook(network !== null)
  const [isManaging, setManaging] = useState(false)
  const verdict = useAddressVerdict(network, address)
  const problem = isAddressLeft && verdict.state === 'wrong' ? verdict.problem : undefined

  const type = field('type')
  const onCoin: typeof type.onChange = (event) => {
    type.onChange(event)
    const next = networksFor(coinNamed(form.getValues('type')), wallets)
    form.setValue('network', onlyOf(next))
    form.clearErrors('network')
  }
  const addressField = field('address')
  return (
    <>
      <Form
        {...shell}
        formError={stepUp.asked ? null : shell.formError}
        submitLabel="Send Withdrawal Request"
      >
        <AmountField limits={limits} form={form} field={field('amount')} />
        <RadioGroup
          label="Coin"
          options={coinsFor(wallets).map((value) => ({ value, label: COIN_LABELS[value] }))}
          {...type}
          onChange={onCoin}
        />
        {networks.length > 1 && (
          <RadioGroup
            label="Network"
            hint="The one that the receiving wallet expects. An address of one is no address of another."
            options={networks.map((value) => ({ value, label: NETWORK_LABELS[value] }))}
            {...field('network')}
          />
        )}
        {network && book.state === 'ready' && (
          <book.data.ChooseAddress
            saved={book.data.saved}
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
          // What is pasted is whole.
          onPaste={() => setAddressLeft(true)}
          error={addressField.error ?? problem}
        />
        {stepUp.isIdentityMissing && <Refused obstacle={obstacle ?? 'none'} queue="withdrawals" />}
      </Form>
      <ProofStep
        asked={stepUp.asked}
        amount={String(form.watch('amount') ?? '')}
        destination={
          <>
            <code>{address.trim()}</code>
            {network && `, on the network ${NETWORK_LABELS[network]}`}
          </>
        }
        shell={shell}
        code={field('code')}
        setPasskey={(answer) => form.setValue('passkey', answer)}
        isCodeGiven={() => stepUp.isCodeGiven(form)}
        dropCode={() => form.setValue('code', '')}
        focusCode={() => form.setFocus('code')}
        onClose={() => stepUp.end(form)}
      />
      {isManaging && book.state === 'ready' && (
        <book.data.AddressBookDialog
          saved={book.data.saved}
          onChanged={book.reload}
          onClose={() => setManaging(false)}
        />
      )}
    </>
  )
}

/** Of which network the address has to be; and all of it to compare by, once it is one, since the field may cut it off. */
function AddressHint({ network, address }: { network: Network | null; address: string | null }) {
  if (network === null) return 'Of your own wallet.'
  if (address === null) return `Paid on the ${NETWORK_LABELS[network]} network.`
  return (
    <>
      A complete address of the {NETWORK_LABELS[network]} network. Please compare it:{' '}
      <code className={styles.compared}>{address.match(/.{1,4}/g)?.join(' ')}</code>
    </>
  )
}
