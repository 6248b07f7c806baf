import { lazy, Suspense, useState } from 'react'
import { Button } from '../../../design/Button.tsx'
import { Modal } from '../../../design/Modal.tsx'

const CarfForm = lazy(async () => ({ default: (await import('./CarfForm.tsx')).CarfForm }))

/** Exports the yearly report to tax authorities, and says about whom data is missing. */
export function CarfReport() {
  const [isOpen, setOpen] = useState(false)
  return (
    <div className="row">
      <Button aria-haspopup="dialog" onClick={() => setOpen(true)}>
        Report to tax authorities
      </Button>
      <Modal open={isOpen} onClose={() => setOpen(false)} title="Report to tax authorities">
        <Suspense fallback={<p role="status">Loading the form</p>}>
          <CarfForm onDone={() => setOpen(false)} />
        </Suspense>
      </Modal>
    </div>
  )
}
