import { type ReactNode, useEffect, useState } from 'react'
import { flushSync } from 'react-dom'
import { Button } from '../../design/Button.tsx'
import { Notice } from '../../design/Notice.tsx'
import { toast } from '../../design/toasts.ts'
import { loadSample, type SampleName } from './samples.ts'

interface SampleOfferProps {
  sample: SampleName
  /** Whether the form is being sent. */
  pending: boolean
  /** Fills in what the form still lacks, with the loaded picture. */
  onLoaded: (file: File) => void
  title: string
  children: ReactNode
}

/** Sends the form around it with our own sample picture. For practice: shown only while money is simulated. */
export function SampleOffer({ sample, pending, onLoaded, title, children }: SampleOfferProps) {
  const [isLoading, setLoading] = useState(false)
  const send = async (form: HTMLFormElement | null) => {
    setLoading(true)
    try {
      const file = await loadSample(sample)
      // The form is sent with what it shows by then.
      flushSync(() => onLoaded(file))
      form?.requestSubmit()
    } catch {
      toast.error('The sample could not be loaded. Please try again.')
    } finally {
      setLoading(false)
    }
  }
  return (
    <Notice
      title={title}
      actions={
        <Button
          size="small"
          busy={isLoading || pending}
          onClick={({ currentTarget }) => void send(currentTarget.form)}
        >
          Use a sample {sample}
        </Button>
      }
    >
      {children}
    </Notice>
  )
}

const PAUSE_MS = 1000
const MOST_RELOADS = 60

/**
 * Reloads each second while the practice reviewer decides, for a minute at most. Returns what the page says meanwhile.
 * @param then what the reviewer does: "approves it"
 */
export function useReloadUntilDecided(isWaiting: boolean, reload: () => void, then: string): string {
  const [isLate, setLate] = useState(false)
  useEffect(() => {
    if (!isWaiting) return
    let left = MOST_RELOADS
    const timer = setInterval(() => {
      if (left-- > 0) return reload()
      clearInterval(timer)
      setLate(true)
    }, PAUSE_MS)
    return () => clearInterval(timer)
  }, [isWaiting, reload])
  return isLate
    ? 'It takes longer than usual, so people decide. You need not wait: we tell you by mail.'
    : `The practice reviewer ${then} within 20 seconds. This page shows it.`
}
