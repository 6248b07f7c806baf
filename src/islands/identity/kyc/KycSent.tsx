import { ButtonLink } from '../../../design/ButtonLink.tsx'
import { Modal } from '../../../design/Modal.tsx'

/** Says that the document was sent. Closing it reloads the page, which then shows that it waits. */
export function KycSent({ open }: { open: boolean }) {
  return (
    <Modal
      open={open}
      onClose={reload}
      title="KYC Request Sent"
      actions={
        <ButtonLink href="/dashboard/overview" variant="primary">
          Back to Overview
        </ButtonLink>
      }
    >
      <p>
        Your document was sent and is awaiting review. You get a mail with the outcome, and can read it on
        this page.
      </p>
    </Modal>
  )
}

function reload() {
  location.reload()
}
