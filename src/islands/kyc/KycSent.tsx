import { ButtonLink } from '../../design/ButtonLink.tsx'
import { useResource } from '../lib/resource.ts'

/** Says that the document was sent. Closing it reloads the page, which then shows that it waits. */
export function KycSent({ open }: { open: boolean }) {
  const dialog = useResource(open ? 'dialog' : null, async () => {
    const { Modal } = await import('../../design/Modal.tsx')
    return Modal
  })
  if (!open || dialog.state !== 'ready') return null
  const Modal = dialog.data
  return (
    <Modal
      open
      onClose={reload}
      title="KYC Request Sent"
      actions={
        <ButtonLink href="/dashboard/overview" variant="primary">
          Back to Overview
        </ButtonLink>
      }
    >
      <p>Your document was sent and is awaiting review. You can read the outcome on this page.</p>
    </Modal>
  )
}

function reload() {
  location.reload()
}
