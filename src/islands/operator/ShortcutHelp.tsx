import { Modal } from '../../design/Modal.tsx'
import { Fetched } from './Fetched.tsx'

/** What each key does, and the switch for all of them. */
export function ShortcutHelp({ open, onClose }: { open: boolean; onClose: () => void }) {
  return (
    <Modal open={open} onClose={onClose} title="Keyboard">
      <Fetched what="keys" load={() => import('./ShortcutList.tsx')}>
        {({ ShortcutList }) => <ShortcutList />}
      </Fetched>
    </Modal>
  )
}
