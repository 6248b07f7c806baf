import { lazy, Suspense } from 'react'
import { Modal } from '../../../design/Modal.tsx'

// Needed once it is opened.
const ShortcutList = lazy(async () => ({ default: (await import('./ShortcutList.tsx')).ShortcutList }))

/** The dialog with the list of shortcuts. */
export function ShortcutHelp({ open, onClose }: { open: boolean; onClose: () => void }) {
  return (
    <Modal open={open} onClose={onClose} title="Keyboard">
      <Suspense>
        <ShortcutList />
      </Suspense>
    </Modal>
  )
}
