import type { ReactNode } from 'react'
import type { Filed } from '../../contract/common.ts'
import { Modal } from '../../design/Modal.tsx'
import { FiledWords } from './FiledWords.tsx'
import { HoldWords } from './HoldWords.tsx'

interface FiledDialogProps {
  title: string
  filed: Filed
  onClose: () => void
  actions: ReactNode
  /** What else can be done now. */
  children?: ReactNode
}

/** Says that a request was filed, and from when on it is paid where it has to wait. */
export function FiledDialog({ title, filed, onClose, actions, children }: FiledDialogProps) {
  return (
    <Modal open onClose={onClose} title={title} actions={actions}>
      <FiledWords reference={filed.ref} />
      {filed.heldUntil && <HoldWords until={filed.heldUntil} />}
      {children}
    </Modal>
  )
}
