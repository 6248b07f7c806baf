import { lazy, Suspense, useRef, useState } from 'react'
import { isolate } from '../../../contract/isolate.ts'
import { COIN_LABELS, type Coin, NETWORK_LABELS, type Network } from '../../../contract/money/coins.ts'
import {
  deleteAddress,
  listAddresses,
  renameAddress,
  type SavedAddress,
  saveAddress,
} from '../../../contract/money/destinations.ts'
import { Button } from '../../../design/Button.tsx'
import { DateTime } from '../../../design/DateTime.tsx'
import { TextField } from '../../../design/Field.tsx'
import { Form } from '../../../design/Form.tsx'
import { Modal } from '../../../design/Modal.tsx'
import { Notice } from '../../../design/Notice.tsx'
import { SelectField } from '../../../design/SelectField.tsx'
import { useAction } from '../../lib/action.ts'
import { call } from '../../lib/api.ts'
import { useResource } from '../../lib/resource.ts'
import { type StepUp, useStepUpForm } from '../withdrawals/stepUp.ts'
import styles from './AddressBook.module.css'
import { findSavedAddress, formatShortAddress, onNetwork } from './words.ts'

interface AddressBookDialogProps {
  saved: readonly SavedAddress[]
  onChanged: () => void
  onClose: () => void
}

export function AddressBookDialog({ saved, onChanged, onClose }: AddressBookDialogProps) {
  const [open, setOpen] = useState<{ id: string; act: 'rename' | 'prove' } | null>(null)
  const list = useRef<HTMLDivElement>(null)
  // The clicked button was removed, so the list takes the focus.
  const onEntryChanged = () => {
    list.current?.focus()
    setOpen(null)
    onChanged()
  }
  return (
    <Modal open onClose={onClose} title="Saved addresses">
      <div ref={list} tabIndex={-1} className="stack">
        <p className="soft">
          Saving or renaming an address takes a code, so that nobody else can do it. It does not confirm the
          address: your first withdrawal to it still needs your confirmation. If you prove that it is yours,
          that withdrawal does not wait 24 hours.
        </p>
        {saved.length === 0 && <p>No saved addresses yet.</p>}
        <ul className={styles.list}>
          {saved.map((savedAddress) => (
            <li key={savedAddress._id} className="stack">
              {open?.id !== savedAddress._id ? (
                <Entry
                  saved={savedAddress}
                  onOpen={(act) => setOpen({ id: savedAddress._id, act })}
                  onDeleted={onEntryChanged}
                />
              ) : open.act === 'rename' ? (
                <Rename saved={savedAddress} onDone={onEntryChanged} onCancel={() => setOpen(null)} />
              ) : (
                <Suspense>
                  <ProveAddress saved={savedAddress} onDone={onEntryChanged} onCancel={() => setOpen(null)} />
                </Suspense>
              )}
            </li>
          ))}
        </ul>
      </div>
    </Modal>
  )
}

interface EntryProps {
  saved: SavedAddress
  onOpen: (act: 'rename' | 'prove') => void
  onDeleted: () => void
}

function Entry({ saved, onOpen, onDeleted }: EntryProps) {
  const { _id, label, type, network, address, plans = 0 } = saved
  const [isAsking, setIsAsking] = useState(false)
  const prove = saved.provedAt === undefined ? 'Prove It Is Yours' : 'Prove Again'
  const removal = useAction(async () => {
    await call(deleteAddress, { params: { id: _id } })
    onDeleted()
  })
  return (
    <>
      <div>
        <strong>{label}</strong>{' '}
        <span className="small soft">
          {[...new Set([COIN_LABELS[type], NETWORK_LABELS[network]])].join(', ')}
        </span>
        <br />
        <code translate="no" className={styles.address}>
          {address}
        </code>
        {saved.provedAt !== undefined && (
          <p className="small">
            Proved as yours, <DateTime at={saved.provedAt} show="date" />
          </p>
        )}
        {saved.usableFrom !== undefined && (
          <p className="small">
            <UsableFrom at={saved.usableFrom} />
          </p>
        )}
      </div>
      <div className="row">
        <Button size="small" aria-label={`Rename ${isolate(label)}`} onClick={() => onOpen('rename')}>
          Rename
        </Button>
        <Button size="small" aria-label={`${prove}: ${isolate(label)}`} onClick={() => onOpen('prove')}>
          {prove}
        </Button>
        <Button
          size="small"
          aria-label={`Delete ${isolate(label)}`}
          busy={!isAsking && removal.busy}
          onClick={plans === 0 ? removal.start : () => setIsAsking(true)}
        >
          Delete
        </Button>
      </div>
      {isAsking && (
        <Notice
          tone="caution"
          title={plans === 1 ? 'A recurring plan pays to it' : `${plans} recurring plans pay to it`}
          live
          actions={
            <>
              <Button size="small" variant="danger" busy={removal.busy} onClick={removal.start}>
                Delete and Pause
              </Button>
              <Button size="small" variant="quiet" onClick={() => setIsAsking(false)}>
                Keep It
              </Button>
            </>
          }
        >
          If you delete this address, <span>{plans === 1 ? 'the plan is' : 'these plans are'}</span> paused.
          Withdrawals that were already requested are not changed. If a plan is redeeming units, their
          proceeds stay in your account.
        </Notice>
      )}
    </>
  )
}

/** While only saved destinations are paid, a new one takes 48 hours. */
function UsableFrom({ at }: { at: string }) {
  return (
    <span>
      You can use it from <DateTime at={at} />.
    </span>
  )
}

interface RenameProps {
  saved: SavedAddress
  onDone: () => void
  onCancel: () => void
}

function Rename({ saved, onDone, onCancel }: RenameProps) {
  const { shell, field, stepUp } = useStepUpForm({
    endpoint: renameAddress,
    params: { id: saved._id },
    defaultValues: { label: saved.label },
    failures: 'form',
    onDone,
  })
  return (
    <>
      <Form
        {...shell}
        label={`Rename ${isolate(saved.label)}`}
        submitLabel="Save Name"
        actions={
          <Button variant="quiet" onClick={onCancel}>
            Cancel
          </Button>
        }
      >
        <TextField label="Name" autoComplete="off" maxLength={60} {...field('label')} />
      </Form>
      <AddressProof stepUp={stepUp} address={saved.address} />
    </>
  )
}

interface ChooseAddressProps {
  saved: readonly SavedAddress[]
  network: Network
  address: string
  onChoose: (address: string) => void
  onManage: () => void
}

/** Returns null while no address is saved. */
export function ChooseAddress({ saved, network, address, onChoose, onManage }: ChooseAddressProps) {
  const choices = onNetwork(saved, network)
  if (saved.length === 0) return null
  const manage = (
    <Button size="small" aria-haspopup="dialog" onClick={onManage}>
      Manage saved addresses
    </Button>
  )
  if (choices.length === 0) return <div>{manage}</div>
  return (
    <SelectField
      label="Saved address"
      optional
      placeholder="None, I will type it"
      options={choices.map(({ _id, label, address: full }) => ({
        value: _id,
        label: `${isolate(label)} (${formatShortAddress(full)})`,
      }))}
      value={choices.find((savedAddress) => savedAddress.address === address)?._id ?? ''}
      onChange={({ target }) => onChoose(choices.find(({ _id }) => _id === target.value)?.address ?? '')}
      hint={manage}
    />
  )
}

export interface Destination {
  type: Coin
  network: Network
  address: string
}

/** Returns null if the address is already saved, or while the address book is not loaded. */
export function SaveOffer({ destination }: { destination: Destination }) {
  const book = useResource('saved addresses', loadAddresses)
  const [saved, setSaved] = useState<SavedAddress | null>(null)
  if (saved !== null) {
    return (
      <Notice tone="success" live>
        <span>Saved as “{isolate(saved.label)}”.</span>{' '}
        {saved.usableFrom === undefined ? (
          <span>You can choose it for your next withdrawal.</span>
        ) : (
          <UsableFrom at={saved.usableFrom} />
        )}
      </Notice>
    )
  }
  if (book.state !== 'ready' || findSavedAddress(book.data, destination)) return null
  return <Save destination={destination} onSaved={setSaved} />
}

function Save({
  destination,
  onSaved,
}: {
  destination: Destination
  onSaved: (saved: SavedAddress) => void
}) {
  const { shell, field, stepUp } = useStepUpForm({
    endpoint: saveAddress,
    schema: renameAddress.body,
    bodyOf: (values) => ({ ...destination, ...values }),
    failures: 'form',
    onDone: onSaved,
  })
  return (
    <>
      <Form {...shell} label="Save this address" submitLabel="Save Address">
        <TextField
          label="Save this address as"
          hint="A name such as “Cold wallet”. We ask you to confirm it."
          autoComplete="off"
          maxLength={60}
          {...field('label')}
        />
      </Form>
      <AddressProof stepUp={stepUp} address={destination.address} />
    </>
  )
}

const ProveAddress = lazy(() =>
  import('./ProveAddress.tsx').then(({ ProveAddress }) => ({ default: ProveAddress })),
)

/** Loaded when a proof is asked for. */
const ProofDialog = lazy(() =>
  import('../withdrawals/ProofDialog.tsx').then(({ ProofDialog }) => ({ default: ProofDialog })),
)

function AddressProof({ stepUp, address }: { stepUp: StepUp; address: string }) {
  if (stepUp.request === null) return null
  return (
    <Suspense>
      <ProofDialog stepUp={stepUp} subject={{ kind: 'address', address }} />
    </Suspense>
  )
}

/** Loads the whole address book, which is limited to one page. */
export function loadAddresses(): Promise<SavedAddress[]> {
  return call(listAddresses)
}
