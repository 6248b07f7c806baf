import { Button } from '../../design/Button.tsx'
import { ButtonLink } from '../../design/ButtonLink.tsx'
import { Notice } from '../../design/Notice.tsx'
import { useResource } from '../lib/resource.ts'

/** Says that the document was sent. Closing it reloads the page, which then shows that it waits. */
export function KycSent({ open }: { open: boolean }) {
  const dialog = useResource(open ? 'dialog' : null, async () => {
    const { Modal } = await import('../../design/Modal.tsx')
    return Modal
  })
  if (!open || dialog.state === 'loading') return null
  if (dialog.state === 'failed') {
    return (
      <Notice live tone="success" title="KYC Request Sent" actions={<Button onClick={reload}>Close</Button>}>
        {WORDS}
      </Notice>
    )
  }
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
      <p>{WORDS}</p>
    </Modal>
  )
}

const WORDS =
  'Your document was sent and is awaiting review. You get a mail with the outcome, and can read it on this page.'

function reload() {
  location.reload()
}
