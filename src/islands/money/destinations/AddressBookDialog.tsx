import { useRef, useState } from 'react'
import { COIN_LABELS, NETWORK_LABELS } from '../../../contract/money/coins.ts'
import { deleteAddress, renameAddress, type SavedAddress } from '../../../contract/money/destinations.ts'
import { Button } from '../../../design/Button.tsx'
import { Form } from '../../../design/Form.tsx'
import { Modal } from '../../../design/Modal.tsx'
import { TextField } from '../../../design/TextField.tsx'
import { useAction } from '../../lib/action.ts'
import { call } from '../../lib/api.ts'
import { useEndpointForm } from '../../lib/endpointForm.ts'
import styles from './AddressBookDialog.module.css'

interface AddressBookDialogProps {
  saved: readonly SavedAddress[]
  /** One was renamed or deleted. */
  onChanged: () => void
  onClose: () => void
}

/** The saved addresses, each to be renamed or deleted. */
export function AddressBookDialog({ saved, onChanged, onClose }: AddressBookDialogProps) {
  const [renaming, setRenaming] = useState<string | null>(null)
  const list = useRef<HTMLDivElement>(null)
  // What was pressed is gone then.
  const onGone = () => {
    list.current?.focus()
    setRenaming(null)
    onChanged()
  }
  return (
    <Modal open onClose={onClose} title="Saved addresses">
      <div ref={list} tabIndex={-1} className="stack">
        <p className="soft">
          An address is here for you to choose it, not to be trusted: a first withdrawal to it is confirmed
          like any other.
        </p>
        {saved.length === 0 && <p>No address is saved.</p>}
        <ul className={styles.list}>
          {saved.map((each) => (
            <li key={each._id} className="stack">
              {renaming === each._id ? (
                <Rename saved={each} onDone={onGone} onCancel={() => setRenaming(null)} />
              ) : (
                <Entry saved={each} onRename={() => setRenaming(each._id)} onDeleted={onGone} />
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
  onRename: () => void
  onDeleted: () => void
}

function Entry({ saved, onRename, onDeleted }: EntryProps) {
  const { _id, label, type, network, address } = saved
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
        <code className={styles.address}>{address}</code>
      </div>
      <div className="row">
        <Button size="small" aria-label={`Rename ${label}`} onClick={onRename}>
          Rename
        </Button>
        <Button size="small" aria-label={`Delete ${label}`} busy={removal.busy} onClick={removal.start}>
          Delete
        </Button>
      </div>
    </>
  )
}

function Rename({
  saved,
  onDone,
  onCancel,
}: {
  saved: SavedAddress
  onDone: () => void
  onCancel: () => void
}) {
  const { shell, field } = useEndpointForm({
    endpoint: renameAddress,
    params: { id: saved._id },
    defaultValues: { label: saved.label },
    failures: 'form',
    onDone,
  })
  return (
    <Form
      {...shell}
      label={`Rename ${saved.label}`}
      submitLabel="Save Name"
      actions={
        <Button variant="quiet" onClick={onCancel}>
          Keep it
        </Button>
      }
    >
      <TextField label="Name" autoComplete="off" maxLength={60} {...field('label')} />
    </Form>
  )
}
