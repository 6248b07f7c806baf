import { formatCoinOnNetwork } from '../../../contract/console/coinWords.ts'
import { propose, walletProposal } from '../../../contract/console/proposalBodies.ts'
import { describeChecksum, findAddressProblem } from '../../../contract/money/addresses.ts'
import { COIN_LABELS, COINS, listNetworks, NETWORK_LABELS, NETWORKS } from '../../../contract/money/coins.ts'
import { Grouped } from '../../../design/CopyButton.tsx'
import { TextArea, TextField } from '../../../design/Field.tsx'
import { SelectField } from '../../../design/SelectField.tsx'
import { site } from '../../../site.ts'
import { useReadAddress } from '../../money/withdrawals/useReadAddress.ts'
import { ConfirmedForm, useConfirmedForm } from '../cases/ConfirmedForm.tsx'
import { withFactor } from '../cases/factor.tsx'

/** Refuses a mistyped address before the summary, because people compare only the ends of addresses. */
const checkedWallet = walletProposal.check((context) => {
  const { network, address } = context.value
  const message = findAddressProblem(network, address)
  if (message !== null) context.issues.push({ code: 'custom', path: ['address'], message, input: address })
})

/** Proposes an address for investors to pay to. The summary asks to compare it with the device that holds the key. */
export function ProposeWallet({ onProposed, onCancel }: { onProposed: () => void; onCancel: () => void }) {
  const form = useConfirmedForm({
    endpoint: propose,
    schema: checkedWallet,
    defaultValues: { kind: 'wallet', walletName: 'bitcoin', network: 'btc' },
    send: withFactor(propose, 'A receiving wallet'),
    onDone: onProposed,
  })
  const { field } = form
  const coin = COINS.find((candidate) => candidate === form.form.watch('walletName')) ?? 'bitcoin'
  const network = NETWORKS.find((candidate) => candidate === form.form.watch('network')) ?? null
  const typed = String(form.form.watch('address') ?? '')
  useReadAddress(network, typed, (address) => form.form.setValue('address', address))
  return (
    <ConfirmedForm
      form={form}
      confirmLabel="Propose the wallet"
      summary={({ walletName, network, address }) => {
        const checksum = describeChecksum(network, address.trim())
        return (
          <>
            <p>
              Investors would send <strong>{formatCoinOnNetwork(walletName, network)}</strong> to
            </p>
            <p>
              <Grouped text={address.trim()} />
            </p>
            <p className="soft small">
              The checksum is valid: {checksum.words}. Compare every group with the device that holds the key,
              not with a message or the clipboard. Another operator does the same before approving.
            </p>
          </>
        )
      }}
      onCancel={onCancel}
    >
      {site.mode === 'simulated' && (
        <p className="soft small">
          A wallet approved while money is simulated stays simulated. Investors do not see it once the
          platform is live.
        </p>
      )}
      <div className="pair">
        <SelectField
          label="Coin"
          options={COINS.map((value) => ({ value, label: COIN_LABELS[value] }))}
          {...field('walletName')}
          onChange={(event) => {
            field('walletName').onChange(event)
            const [first] = listNetworks(
              COINS.find((candidate) => candidate === event.target.value) ?? 'bitcoin',
            )
            if (first !== undefined) form.form.setValue('network', first)
          }}
        />
        <SelectField
          label="Network"
          options={listNetworks(coin).map((value) => ({ value, label: NETWORK_LABELS[value] }))}
          {...field('network')}
        />
      </div>
      <TextField
        label="Receiving address"
        hint="The address cannot change after approval. Propose another wallet for another address."
        autoComplete="off"
        spellCheck={false}
        maxLength={200}
        {...field('address')}
      />
      <TextArea label="Reason" optional rows={2} maxLength={500} {...field('reason')} />
    </ConfirmedForm>
  )
}
