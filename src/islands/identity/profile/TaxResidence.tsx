import { lazy, Suspense, useState } from 'react'
import { Button } from '../../../design/Button.tsx'
import { Modal } from '../../../design/Modal.tsx'
import { Panel } from '../../../design/Panel.tsx'

const TaxForm = lazy(async () => ({ default: (await import('./TaxForm.tsx')).TaxForm }))

/** Where an investor pays taxes. It loads once it is opened. */
export function TaxResidence() {
  const [isOpen, setOpen] = useState(false)
  return (
    <Panel title="Tax residence">
      <p className="small soft">
        Many countries require platforms for crypto assets to report deposits and withdrawals of coins to the
        tax authority once a year. A report needs your country and tax number. We store them encrypted and use
        them for nothing else.
      </p>
      <div className="row">
        <Button aria-haspopup="dialog" onClick={() => setOpen(true)}>
          Tax residence
        </Button>
      </div>
      <Modal open={isOpen} onClose={() => setOpen(false)} title="Tax residence">
        <Suspense fallback={<p role="status">Loading your tax residence</p>}>
          <TaxForm onDone={() => setOpen(false)} />
        </Suspense>
      </Modal>
    </Panel>
  )
}
