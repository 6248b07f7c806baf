import { Check, Copy } from 'lucide-react'
import { useEffect, useState } from 'react'
import { Button } from './Button.tsx'

/** How long "Copied" stands, in milliseconds. */
const COPIED_MS = 2000

export interface CopyButtonProps {
  /** What goes to the clipboard. */
  text: string
  /** Names it for screen readers: "wallet address" makes "Copy wallet address". */
  what: string
  size?: 'small' | 'medium'
}

/** Says "Copy", then "Copied" for two seconds. */
export function CopyButton({ text, what, size = 'small' }: CopyButtonProps) {
  const [state, setState] = useState<'ready' | 'copied' | 'refused'>('ready')
  useEffect(() => {
    if (state === 'ready') return
    const timer = setTimeout(() => setState('ready'), COPIED_MS)
    return () => clearTimeout(timer)
  }, [state])
  const copy = () =>
    navigator.clipboard.writeText(text).then(
      () => setState('copied'),
      () => setState('refused'),
    )
  return (
    <>
      <Button
        size={size}
        onClick={copy}
        title={state === 'copied' ? 'Copied' : 'Copy'}
        icon={
          state === 'copied' ? <Check aria-hidden="true" size={16} /> : <Copy aria-hidden="true" size={16} />
        }
      >
        {state === 'copied' ? 'Copied' : 'Copy'}
        <span className="visually-hidden"> {what}</span>
      </Button>
      <span role="status" className="visually-hidden">
        {state === 'copied' && `Copied ${what}`}
        {state === 'refused' && `Your browser did not allow copying; select the ${what} and copy it yourself`}
      </span>
    </>
  )
}
