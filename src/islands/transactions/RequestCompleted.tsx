import type { ReactNode } from 'react'
import type { Filed } from '../../contract/common.ts'
import { ButtonLink } from '../../design/ButtonLink.tsx'
import { Notice } from '../../design/Notice.tsx'
import { useResource } from '../lib/resource.ts'
import { FiledWords } from './FiledWords.tsx'

interface RequestCompletedProps {
  title: string
  /** What was filed; null while nothing was. */
  filed: Filed | null
  onClose: () => void
  /** What else can be done now. */
  children?: ReactNode
}

/** Says in a dialog that a deposit or withdrawal request was filed and awaits approval, and leads to the history. */
export function RequestCompleted({ title, filed, onClose, children }: RequestCompletedProps) {
  const dialog = useResource(filed && 'dialog', () => import('./FiledDialog.tsx'))
  if (filed === null || dialog.state === 'loading') return null
  const history = (
    <ButtonLink href="/dashboard/transaction-history" variant="primary">
      Transaction History
    </ButtonLink>
  )
  // What was filed is said, come what may: without the dialog, on the page.
  if (dialog.state === 'failed') {
    return (
      <Notice tone="success" title={title} live actions={history}>
        <FiledWords reference={filed.ref} />
      </Notice>
    )
  }
  const { FiledDialog } = dialog.data
  return (
    <FiledDialog title={title} filed={filed} onClose={onClose} actions={history}>
      {children}
    </FiledDialog>
  )
}
