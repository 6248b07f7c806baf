import { ButtonLink } from '../../design/ButtonLink.tsx'
import { Modal } from '../../design/Modal.tsx'

/** Says that the document was sent. Closing it reloads the page, which then shows that it waits. */
export function KycSent({ open }: { open: boolean }) {
  return (
    <Modal
      open={open}
      onClose={() => location.reload()}
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
