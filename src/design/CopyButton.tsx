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

/**
 * Says "Copy", then "Copied" for two seconds. Where the browser does not let it copy, that is said beside it, and the
 * `<code>` next to it that shows the text is selected, so that one key or tap copies it.
 */
export function CopyButton({ text, what, size = 'small' }: CopyButtonProps) {
  const [state, setState] = useState<'ready' | 'copied' | 'refused'>('ready')
  useEffect(() => {
    if (state !== 'copied') return
    const timer = setTimeout(() => setState('ready'), COPIED_MS)
    return () => clearTimeout(timer)
  }, [state])
  const copy = async (button: HTMLElement) => {
    try {
      // Absent on a page that did not come by HTTPS.
      await navigator.clipboard.writeText(text)
      setState('copied')
    } catch {
      selectBeside(button, text)
      setState('refused')
    }
  }
  return (
    <>
      <Button
        size={size}
        onClick={({ currentTarget }) => void copy(currentTarget)}
        title={state === 'copied' ? 'Copied' : 'Copy'}
        icon={
          state === 'copied' ? <Check aria-hidden="true" size={16} /> : <Copy aria-hidden="true" size={16} />
        }
      >
        {state === 'copied' ? 'Copied' : 'Copy'}
        <span className="visually-hidden"> {what}</span>
      </Button>
      <span role="status" className={state === 'refused' ? 'small' : 'visually-hidden'}>
        {state === 'copied' && `Copied ${what}`}
        {state === 'refused' && `Your browser did not allow it. Please copy the ${what} by hand.`}
      </span>
    </>
  )
}

/** Selects the text where it is shown. Spaces may stand in it, to be read in groups. */
function selectBeside(button: HTMLElement, text: string): void {
  const shown = button.closest(':has(code)')?.querySelector('code')
  if (shown && bare(shown.textContent) === bare(text)) getSelection()?.selectAllChildren(shown)
}

function bare(text: string): string {
  return text.replace(/\s/g, '')
}
